import type Token from 'markdown-it/lib/token.mjs'
import { codeLanguageOf } from '#base/rich-text/code-language.ts'
import type { Align, Block, Cell, Inline, Item, Mark, Picture, Task } from '#base/rich-text/document.ts'
import { plainMarkdown, wholeMarkdown } from '#base/rich-text/markdown-dialect.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

/** The blocks of a text in our Markdown. */
export function readBlocks(markdown: string, isPlain = false): Block[] {
  return blocksOf((isPlain ? plainMarkdown : wholeMarkdown).parse(markdown, {}))
}

type Walk = { tokens: readonly Token[]; at: number }

function blocksOf(tokens: readonly Token[]): Block[] {
  const walk = { tokens, at: 0 }
  const blocks: Block[] = []
  while (walk.at < tokens.length) blocks.push(...nextBlock(walk))
  return filled(blocks)
}

function filled(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [{ type: 'paragraph' }]
}

function nextBlock(walk: Walk): Block[] {
  const token = walk.tokens[walk.at++]
  switch (token?.type) {
    case 'paragraph_open':
      return paragraphs(insideOf(walk)[0])
    case 'heading_open':
      return [{ type: 'heading', attrs: { level: levelOf(token.tag) }, content: inlinesOf(insideOf(walk)[0]) }]
    case 'blockquote_open':
      return [{ type: 'blockquote', content: blocksOf(insideOf(walk)) }]
    case 'bullet_list_open':
      return bulletLists(itemsOf(insideOf(walk)))
    case 'ordered_list_open':
      return [
        { type: 'orderedList', attrs: { start: Number(token.attrGet('start') ?? 1) }, content: itemsOf(insideOf(walk)).map(plainItem) },
      ]
    case 'fence':
    case 'code_block':
      return [codeOf(token)]
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'table_open':
      return [{ type: 'table', content: rowsOf(insideOf(walk)) }]
    default:
      return []
  }
}

/** The tokens up to the one that closes the block just opened. */
function insideOf(walk: Walk): readonly Token[] {
  const from = walk.at
  for (let depth = 1; depth > 0 && walk.at < walk.tokens.length; walk.at++) depth += walk.tokens[walk.at]?.nesting ?? 0
  return walk.tokens.slice(from, walk.at - 1)
}

function levelOf(tag: string): 2 | 3 | 4 {
  const level = Number(tag.slice(1))
  return level <= 2 ? 2 : level === 3 ? 3 : 4
}

function codeOf({ info, content, type }: Token): Block {
  const language = codeLanguageOf(type === 'fence' ? (info.trim().split(/\s/)[0] ?? '') : '')
  const text = content.replace(/\n$/, '')
  return { type: 'codeBlock', attrs: { language }, ...(text && { content: [{ type: 'text', text }] }) }
}

type Entry = { blocks: Block[]; checked: boolean | null }

function itemsOf(tokens: readonly Token[]): Entry[] {
  const walk = { tokens, at: 0 }
  const entries: Entry[] = []
  while (walk.at < tokens.length) {
    walk.at++
    const inside = insideOf(walk)
    const sign = /^\[([ xX])\](?: |$)/.exec(firstInline(inside)?.content ?? '')
    entries.push({ blocks: blocksOf(inside), checked: sign ? sign[1] !== ' ' : null })
  }
  return entries
}

function firstInline(tokens: readonly Token[]): Token | undefined {
  return tokens[0]?.type === 'paragraph_open' ? tokens[1] : undefined
}

/** Entries with a box to tick and entries without stand in lists of their own. */
function bulletLists(entries: readonly Entry[]): Block[] {
  const lists: Block[] = []
  for (const entry of entries) {
    const last = lists.at(-1)
    if (entry.checked === null) {
      if (last?.type === 'bulletList') last.content.push(plainItem(entry))
      else lists.push({ type: 'bulletList', content: [plainItem(entry)] })
    } else if (last?.type === 'taskList') last.content.push(taskOf(entry, entry.checked))
    else lists.push({ type: 'taskList', content: [taskOf(entry, entry.checked)] })
  }
  return lists
}

function plainItem({ blocks }: Entry): Item {
  return { type: 'listItem', content: blocks }
}

/** The box is at the head of the first paragraph; a box alone belongs to the block that follows it. */
function taskOf({ blocks: [first, ...rest] }: Entry, checked: boolean): Task {
  const inlines = first?.type === 'paragraph' ? (first.content ?? []) : []
  const [box, ...others] = inlines
  const text = box?.type === 'text' ? box.text.slice(4) : ''
  const content: Inline[] = box?.type === 'text' && text ? [{ ...box, text }, ...others] : others
  const isAlone = content.length === 0 && rest.length > 0
  return { type: 'taskItem', attrs: { checked }, content: isAlone ? rest : [{ type: 'paragraph', content }, ...rest] }
}

function rowsOf(tokens: readonly Token[]): Extract<Block, { type: 'table' }>['content'] {
  const rows: Extract<Block, { type: 'table' }>['content'] = []
  tokens.forEach((token, place) => {
    if (token.type === 'tr_open') rows.push({ type: 'tableRow', content: [] })
    if (token.type === 'th_open' || token.type === 'td_open') rows.at(-1)?.content.push(cellOf(token, tokens[place + 1]))
  })
  return rows
}

function cellOf(token: Token, inside: Token | undefined): Cell {
  return {
    type: token.type === 'th_open' ? 'tableHeader' : 'tableCell',
    attrs: { align: alignOf(String(token.attrGet('style') ?? '')) },
    content: [{ type: 'paragraph', content: inlinesOf(inside) }],
  }
}

function alignOf(style: string): Align {
  return (/text-align:(left|center|right)/.exec(style)?.[1] as Align | undefined) ?? null
}

/** A paragraph, parted where pictures stand in it, for a picture is a block of its own. */
function paragraphs(token: Token | undefined): Block[] {
  if (!token || token.content === '&nbsp;') return [{ type: 'paragraph' }]
  const blocks: Block[] = []
  let content: Inline[] = []
  function close(): void {
    while (content.at(-1)?.type === 'hardBreak') content.pop()
    if (content.length > 0) blocks.push({ type: 'paragraph', content })
    content = []
  }
  for (const inline of readInline(token)) {
    if (inline.type === 'image') {
      close()
      blocks.push(inline)
    } else if (inline.type !== 'hardBreak' || content.length > 0 || blocks.length === 0) content.push(inline)
  }
  if (blocks.length > 0) close()
  else return [{ type: 'paragraph', content }]
  return blocks
}

/** Where a picture cannot stand, there is a link to it. */
function inlinesOf(token: Token | undefined): Inline[] {
  return readInline(token).map((inline) =>
    inline.type === 'image' ? linkTo(`/file/${inline.attrs.file}`, inline.attrs.alt || inline.attrs.file) : inline,
  )
}

function linkTo(href: string, text: string): Inline {
  return { type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }
}

const markNames: Record<string, 'bold' | 'italic' | 'strike'> = { strong: 'bold', em: 'italic', s: 'strike' }

function readInline(token: Token | undefined): (Inline | Picture)[] {
  const inlines: (Inline | Picture)[] = []
  const marks: Mark[] = []
  for (const child of token?.children ?? []) {
    const [, name = '', end] = /^(strong|em|s|link)_(open|close)$/.exec(child.type) ?? []
    if (end === 'close')
      marks.splice(
        marks.findLastIndex((mark) => mark.type === (markNames[name] ?? 'link')),
        1,
      )
    else if (end === 'open') marks.push(markOf(name, child))
    else inlines.push(...oneInline(child, marks))
  }
  return inlines
}

function markOf(name: string, token: Token): Mark {
  const type = markNames[name]
  return type ? { type } : { type: 'link', attrs: { href: String(token.attrGet('href')) } }
}

function oneInline({ type, content, meta, ...token }: Token, marks: readonly Mark[]): (Inline | Picture)[] {
  switch (type) {
    case 'text':
    case 'text_special':
      return content ? [{ type: 'text', text: content, marks: [...marks] }] : []
    case 'code_inline':
      return [{ type: 'text', text: content, marks: [...marks, { type: 'code' }] }]
    case 'softbreak':
    case 'hardbreak':
      return [{ type: 'hardBreak' }]
    case 'mention':
      return [{ type: 'mention', attrs: meta as { id: string; label: string } }]
    case 'picture':
      return [{ type: 'image', attrs: meta as Picture['attrs'] }]
    case 'image':
      return foreignPicture(String(token.attrs?.find(([name]) => name === 'src')?.[1] ?? ''), content)
    default:
      return []
  }
}

/** Pictures from elsewhere would tell that site who reads here. */
function foreignPicture(src: string, alt: string): Inline[] {
  return safeUrl(src) ? [linkTo(src, alt || src)] : [{ type: 'text', text: alt || src }]
}
