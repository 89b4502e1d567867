import { normalizeLanguage } from '#base/rich-text/code-language.ts'
import { hasVisibleText } from '#base/plain-text.ts'
import type { Block, Cell, Doc, Inline, Item, Link, Mark, Node, Paragraph, Task } from '#base/rich-text/document.ts'
import { trimEndChars, trimStartChars } from '#base/trim.ts'

/**
 * The canonical form of a document: equal texts joined, marks in one order, tables rectangular with a header, no meaningless empty nodes.
 */
export function normalise(doc: Doc): Doc {
  return { type: 'doc', content: orEmpty(blocksOf(doc.content)) }
}

function blocksOf(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => normalBlock(block) ?? [])
}

function orEmpty(blocks: Block[]): Block[] {
  return blocks.length > 0 ? blocks : [{ type: 'paragraph' }]
}

function normalBlock(block: Block): Block | null {
  switch (block.type) {
    case 'paragraph':
    case 'heading': {
      const content = inlinesOf(block.content)
      return content.length > 0 ? { ...block, content } : null
    }
    case 'bulletList':
    case 'orderedList':
      return { ...block, content: block.content.map((item): Item => ({ ...item, content: orEmpty(blocksOf(item.content)) })) }
    case 'taskList':
      return { ...block, content: block.content.map((task): Task => ({ ...task, content: orEmpty(blocksOf(task.content)) })) }
    case 'blockquote': {
      const content = blocksOf(block.content)
      return content.length > 0 ? { ...block, content } : null
    }
    case 'codeBlock': {
      const text = withoutControls((block.content?.[0].text ?? '').replace(/\r\n?/g, '\n'))
      return {
        type: 'codeBlock',
        attrs: { language: normalizeLanguage(block.attrs.language) },
        ...(text && { content: [{ type: 'text', text }] }),
      }
    }
    case 'table':
      return { type: 'table', content: toRectangle(block.content.map((row) => row.content)) }
    case 'image':
      return { ...block, attrs: { ...block.attrs, alt: toOneLine(block.attrs.alt) } }
    case 'file':
      return { ...block, attrs: { ...block.attrs, name: toOneLine(block.attrs.name).trim() || 'file' } }
    case 'horizontalRule':
      return block
    case 'hidden': {
      const { id, lock, value } = block.attrs
      const content = blocksOf(block.content ?? [])
      return { type: 'hidden', attrs: { ...(id && { id }), lock, value: toOneLine(value) }, ...(content.length > 0 && { content }) }
    }
  }
}

function withInlines<B extends { content?: Inline[] | undefined }>({ content, ...block }: B): B {
  const inlines = inlinesOf(content)
  return { ...block, ...(inlines.length > 0 && { content: inlines }) } as B
}

// In Markdown the first row is the header, and a column has one alignment.
function toRectangle(rows: readonly (readonly Cell[])[]): { type: 'tableRow'; content: Cell[] }[] {
  const width = Math.max(...rows.map((cells) => cells.length))
  const aligns = Array.from({ length: width }, (_, column) => rows[0]?.[column]?.attrs.align ?? null)
  return rows.map((cells, at) => ({
    type: 'tableRow',
    content: aligns.map((align, column): Cell => {
      const paragraph: Paragraph = withInlines(cells[column]?.content[0] ?? { type: 'paragraph' })
      return { type: at === 0 ? 'tableHeader' : 'tableCell', attrs: { align }, content: [paragraph] }
    }),
  }))
}

export function inlinesOf(inlines: readonly Inline[] = []): Inline[] {
  const joined: Inline[] = []
  const began = withoutSpace(withoutBlankLinks(inlines.map(normalInline)), trimStartChars)
  for (const inline of withoutSpace(began.reverse(), trimEndChars).reverse()) {
    const last = joined.at(-1)
    if (inline.type === 'text' && last?.type === 'text' && sameMarks(inline.marks, last.marks)) {
      joined[joined.length - 1] = { ...last, text: last.text + inline.text }
    } else joined.push(inline)
  }
  return joined
}

/** The same document with the current names of mentioned members, whatever its author wrote. */
export function withCurrentNames(document: Doc, nameOf: (memberId: string) => string | undefined): Doc {
  return withLabels(document, nameOf) as Doc
}

function withLabels(node: Node, nameOf: (memberId: string) => string | undefined): Node {
  if (node.type === 'mention')
    return { ...node, attrs: { ...node.attrs, label: nameOf(String(node.attrs?.['id'])) ?? node.attrs?.['label'] } }
  return node.content ? { ...node, content: node.content.map((inner) => withLabels(inner, nameOf)) } : node
}

type LinkRun<I> = { link: Link | undefined; inlines: I[]; isSeen: boolean }

/** Adjacent texts with one target form one link, whatever other marks they have. */
export function byLink<I extends { type: string }>(inlines: readonly I[]): LinkRun<I>[] {
  const runs: LinkRun<I>[] = []
  for (const inline of inlines) {
    const link = linkOf(inline)
    const last = runs.at(-1)
    const isShown = link !== undefined && 'text' in inline && hasVisibleText(String(inline.text))
    if (last && link && sameMark(link, last.link)) {
      last.inlines.push(inline)
      last.isSeen ||= isShown
    } else runs.push({ link, inlines: [inline], isSeen: isShown })
  }
  return runs
}

export function linkOf(inline: { type: string; marks?: Mark[] | undefined }): Link | undefined {
  return inline.marks?.find((mark) => mark.type === 'link')
}

// An invisible link is removed.
function withoutBlankLinks(inlines: readonly Inline[]): Inline[] {
  return byLink(inlines).flatMap((run) => (run.link && !run.isSeen ? run.inlines.map(withoutLink) : run.inlines))
}

function withoutLink(inline: Inline): Inline {
  if (inline.type !== 'text') return inline
  const marks = inline.marks?.filter(({ type }) => type !== 'link') ?? []
  return { type: 'text', text: inline.text, ...(marks.length > 0 && { marks }) }
}

// Trailing spaces are invisible, except in code.
function withoutSpace(inlines: readonly Inline[], without: typeof trimEndChars): Inline[] {
  const result: Inline[] = []
  let isEdge = true
  for (const inline of inlines) {
    const isTrimmed = isEdge && inline.type === 'text' && !inline.marks?.some((mark) => mark.type === 'code')
    const rest = isTrimmed ? { ...inline, text: without(inline.text, ' \t') } : inline
    if (rest.type === 'text' && rest.text === '') continue
    result.push(rest)
    isEdge = inline.type === 'hardBreak'
  }
  return result
}

function normalInline(inline: Inline): Inline {
  if (inline.type === 'hardBreak') return inline
  if (inline.type === 'mention') return { ...inline, attrs: { ...inline.attrs, label: toOneLine(inline.attrs.label) || inline.attrs.id } }
  const text = toOneLine(inline.text)
  return inline.marks && inline.marks.length > 0 ? { type: 'text', text, marks: inOrder(inline.marks) } : { type: 'text', text }
}

const order = ['link', 'bold', 'italic', 'strike', 'code'] as const

/** At most one mark of each kind, from the outermost to the innermost. */
export function inOrder(marks: readonly Mark[]): Mark[] {
  return order.flatMap((type) => marks.find((mark) => mark.type === type) ?? []).map(normalMark)
}

function normalMark(mark: Mark): Mark {
  if (mark.type !== 'link') return mark
  const { href, title } = mark.attrs
  const cleanTitle = toOneLine(title ?? '').trim()
  return { type: 'link', attrs: { href, ...(cleanTitle && { title: cleanTitle }) } }
}

export function sameMarks(some: readonly Mark[] = [], others: readonly Mark[] = []): boolean {
  return some.length === others.length && some.every((mark, at) => sameMark(mark, others[at]))
}

export function sameMark(one: Mark, other: Mark | undefined): boolean {
  if (one.type !== 'link' || other?.type !== 'link') return one.type === other?.type
  return one.attrs.href === other.attrs.href && one.attrs.title === other.attrs.title
}

// HTML renders a line break within a text as a space.
function toOneLine(text: string): string {
  return withoutControls(text.replace(/\r\n|[\n\v\f\r\u2028\u2029]/g, ' '))
}

// Bidi controls would reorder the surrounding text.
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\v\f\u0080-\u009f]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}
