import type Token from 'markdown-it/lib/token.mjs'
import { normalizeLanguage, languageWord } from '#base/rich-text/code-language.ts'
import type { Align, Attachment, Block, Cell, Doc, Inline, Item, Picture, Task } from '#base/rich-text/document.ts'
import { parseOpening } from '#base/rich-text/hidden-line.ts'
import { inlinesFrom, type MarkdownLookups, type Piece } from '#base/rich-text/inline-from-markdown.ts'
import { parseTokens } from '#base/rich-text/markdown-parser.ts'
import { normalise } from '#base/rich-text/normalise.ts'

export type Tree = { token: Token; inner: Tree[] }

/** The maximum nesting of a document, as the server counts it. */
const maxDepth = 20
const maxColumns = 30
const maxRows = 200

/** The document of a text, without a limit of length. */
export function documentFrom(text: string, lookups: MarkdownLookups = {}): Doc {
  return normalise({ type: 'doc', content: blocksIn(treesOf(parseTokens(text, lookups.hides ?? true)), 1, lookups) })
}

export function treesOf(tokens: readonly Token[]): Tree[] {
  const root: Tree[] = []
  const open = [root]
  for (const token of tokens) {
    if (token.nesting < 0) open.pop()
    else {
      const tree = { token, inner: [] }
      open.at(-1)?.push(tree)
      if (token.nesting > 0) open.push(tree.inner)
    }
  }
  return root
}

export function blocksIn(trees: readonly Tree[], depth: number, lookups: MarkdownLookups): Block[] {
  return trees.flatMap((tree) => blocksOf(tree, depth, lookups))
}

function blocksOf({ token, inner }: Tree, depth: number, lookups: MarkdownLookups): Block[] {
  switch (token.type) {
    case 'paragraph_open':
      return paragraphsOf(inner, lookups)
    case 'heading_open':
      return headingOf(Number(token.tag.slice(1)), inner, lookups)
    case 'bullet_list_open':
    case 'ordered_list_open':
      return depth + 3 > maxDepth ? inner.flatMap((item) => blocksIn(item.inner, depth, lookups)) : listsOf(token, inner, depth, lookups)
    case 'blockquote_open':
      return depth + 2 > maxDepth ? blocksIn(inner, depth, lookups) : quoteOf(blocksIn(inner, depth + 1, lookups))
    case 'fence':
    case 'code_block':
      return codeOf(token)
    case 'table_open':
      return tableOf(inner, depth, lookups)
    case 'hr':
      return [{ type: 'horizontalRule' }]
    case 'hidden_open':
    case 'hidden': {
      const content = blocksIn(inner, depth + 1, lookups)
      return [{ type: 'hidden', attrs: parseOpening(token.content), ...(content.length > 0 && { content }) }]
    }
    default:
      return []
  }
}

function contentOf(inner: readonly Tree[], lookups: MarkdownLookups): Piece[] {
  const [only] = inner
  return only && inner.length === 1 ? inlinesFrom(only.token.children ?? [], lookups) : inner.flatMap((tree) => contentOf([tree], lookups))
}

// A picture or file is a block, so the words around it become paragraphs of their own.
function paragraphsOf(inner: readonly Tree[], lookups: MarkdownLookups): Block[] {
  const blocks: Block[] = []
  for (const piece of contentOf(inner, lookups)) {
    const last = blocks.at(-1)
    if (standsAlone(piece)) blocks.push(piece)
    else if (last?.type === 'paragraph') last.content?.push(piece)
    else blocks.push({ type: 'paragraph', content: [piece] })
  }
  return blocks
}

function headingOf(written: number, inner: readonly Tree[], lookups: MarkdownLookups): Block[] {
  const { inlines, others } = separate(contentOf(inner, lookups))
  const level = written <= 2 ? 2 : written === 3 ? 3 : 4
  return [{ type: 'heading', attrs: { level }, content: inlines }, ...others]
}

function separate(pieces: readonly Piece[]): { inlines: Inline[]; others: (Picture | Attachment)[] } {
  return { inlines: pieces.filter((piece) => !standsAlone(piece)), others: pieces.filter(standsAlone) }
}

function standsAlone(piece: Piece): piece is Picture | Attachment {
  return piece.type === 'image' || piece.type === 'file'
}

function quoteOf(content: Block[]): Block[] {
  return content.length > 0 ? [{ type: 'blockquote', content }] : []
}

// Text after the language of a fence has no meaning here, so it goes before the code.
function codeOf({ content, info }: Token): Block[] {
  const text = content.replace(/\n$/, '')
  const [written = ''] = info.trim().split(/\s/, 1)
  const language = normalizeLanguage(written)
  const rest = info.replace(languageWord(written), '').trim()
  const paragraphs: Block[] = /[\p{L}\p{N}]/u.test(rest) ? [{ type: 'paragraph', content: [{ type: 'text', text: rest }] }] : []
  return [...paragraphs, { type: 'codeBlock', attrs: { language }, ...(text && { content: [{ type: 'text', text }] }) }]
}

// A list that mixes tasks and other items is split.
function listsOf(list: Token, items: readonly Tree[], depth: number, lookups: MarkdownLookups): Block[] {
  const lists: Block[] = []
  for (const [at, { token, inner }] of items.entries()) {
    const blocks = blocksIn(inner, depth + 2, lookups)
    const content: Block[] = blocks.length > 0 ? blocks : [{ type: 'paragraph' }]
    const last = lists.at(-1)
    if (token.meta) {
      const task: Task = { type: 'taskItem', attrs: { checked: token.meta.checked }, content }
      if (last?.type === 'taskList') last.content.push(task)
      else lists.push({ type: 'taskList', content: [task] })
    } else {
      const item: Item = { type: 'listItem', content }
      if (last?.type === 'bulletList' || last?.type === 'orderedList') last.content.push(item)
      else lists.push(listOf(list, at, item))
    }
  }
  return lists
}

function listOf(list: Token, at: number, item: Item): Block {
  if (list.type === 'bullet_list_open') return { type: 'bulletList', content: [item] }
  const start = Math.min(Number(list.attrGet('start') ?? 1) + at, 999_999_999)
  return { type: 'orderedList', attrs: { start }, content: [item] }
}

function tableOf(parts: readonly Tree[], depth: number, lookups: MarkdownLookups): Block[] {
  const others: Block[] = []
  const rows = parts
    .flatMap((part) => part.inner)
    .map(({ inner }) =>
      inner.map((cell) => {
        const found = separate(contentOf(cell.inner, lookups))
        others.push(...found.others)
        return cellOf(cell.token, found.inlines)
      }),
    )
  const fits = depth + 4 <= maxDepth && rows.length <= maxRows && (rows[0]?.length ?? 0) <= maxColumns
  const table: Block = { type: 'table', content: rows.map((content) => ({ type: 'tableRow', content })) }
  return [...(fits ? [table] : rows.map(lineOf)), ...others]
}

function cellOf(token: Token, content: Inline[]): Cell {
  const align = (token.attrGet('style')?.split(':')[1] ?? null) as Align
  return { type: token.tag === 'th' ? 'tableHeader' : 'tableCell', attrs: { align }, content: [{ type: 'paragraph', content }] }
}

function lineOf(cells: readonly Cell[]): Block {
  const content = cells.flatMap((cell, at): Inline[] => [
    ...(at > 0 ? [{ type: 'text', text: ' | ' } as const] : []),
    ...(cell.content[0].content ?? []),
  ])
  return { type: 'paragraph', content }
}
