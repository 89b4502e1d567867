import type { Block, Cell, Inline, Link, Text } from '#base/rich-text/document.ts'
import { documentFrom } from '#base/rich-text/from-markdown.ts'
import { byLink } from '#base/rich-text/normalise.ts'
import { linkTarget } from '#base/rich-text/safe-url.ts'
import { withEmoji } from '#importer/server/body/emoji-names.ts'
import { withMentions } from '#importer/server/body/mentions.ts'
import { blocksOf, documentOf, isInline, orParagraph, paragraphOf, validText, type Piece } from '#importer/server/body/pieces.ts'
import type { SourceBody } from '#importer/server/source.ts'

export type MarkdownOptions = {
  /** The id and name of a file of the old site at an address, or null for an address elsewhere; `label` is the text that stands for it. */
  fileAt: (address: string, label: string) => { id: string; name: string } | null
  /** Whom `@name` means: `member/ID` or `name/NAME`, or null for plain text. */
  mentioned: (name: string) => string | null
}

type Context = MarkdownOptions & { notes: Set<string> }

/** The scheme of pictures while they are read: all addresses pass, and are told apart afterwards. */
const written = 'written:'

/** The body of a text in another program's Markdown. Our own additions to it mean nothing there and are text. */
export function markdownBody(text: string, options: MarkdownOptions): SourceBody {
  const { content } = documentFrom(validText(text), {
    hides: false,
    picture: (address) => ({ file: `${written}${address}`, width: 1, height: 1 }),
  })
  return withReferences(content, options)
}

/** The body of blocks, with files of the old site in place of links to them, and mentions and emoji in place of their names. */
export function withReferences(blocks: readonly Block[], options: MarkdownOptions, notes: Iterable<string> = []): SourceBody {
  const context: Context = { ...options, notes: new Set(notes) }
  return { document: documentOf(blocks.flatMap((block) => blocksFrom(block, context))), notes: [...context.notes] }
}

function blocksFrom(block: Block, context: Context): Block[] {
  switch (block.type) {
    case 'paragraph':
      return blocksOf(piecesFrom(block.content ?? [], context))
    case 'heading': {
      const pieces = piecesFrom(block.content ?? [], context)
      return [{ ...block, content: pieces.filter(isInline) }, ...pieces.filter((piece) => !isInline(piece))]
    }
    case 'bulletList':
    case 'orderedList':
    case 'taskList': {
      const content = block.content.map((item) => ({ ...item, content: orParagraph(inner(item.content, context)) }))
      return [{ ...block, content } as Block]
    }
    case 'blockquote':
      return [{ ...block, content: orParagraph(inner(withoutSpoiler(block.content, context), context)) }]
    case 'table':
      return tableFrom(block, context)
    case 'image': {
      const { file, alt, width, height } = block.attrs
      if (file.startsWith(written)) return pictureAt(file.slice(written.length), alt, context)
      return ownSyntax(`![${alt}](file:${file}#${width}x${height})`)
    }
    case 'file':
      return ownSyntax(`![${block.attrs.name}](file:${block.attrs.file}#${block.attrs.bytes})`)
    case 'codeBlock':
    case 'horizontalRule':
    case 'hidden':
      return [block]
  }
}

function inner(blocks: readonly Block[], context: Context): Block[] {
  return blocks.flatMap((block) => blocksFrom(block, context))
}

// A stranger's text must not name a file or member of this site.
function ownSyntax(text: string): Block[] {
  return [{ type: 'paragraph', content: [{ type: 'text', text }] }]
}

function tableFrom(table: Extract<Block, { type: 'table' }>, context: Context): Block[] {
  const files: Block[] = []
  const content = table.content.map((row) => ({
    ...row,
    content: row.content.map((cell): Cell => {
      const pieces = piecesFrom(cell.content[0].content ?? [], context)
      files.push(...pieces.filter((piece) => !isInline(piece)))
      return { ...cell, content: [paragraphOf(pieces.filter(isInline))] }
    }),
  }))
  return [{ ...table, content }, ...files]
}

function pictureAt(address: string, alt: string, context: Context): Block[] {
  const file = fileBlock(address, alt, context)
  if (file) return [file]
  context.notes.add('picture elsewhere')
  const href = linkTarget(address)
  const marks: Link[] = href ? [{ type: 'link', attrs: { href } }] : []
  return [{ type: 'paragraph', content: [{ type: 'text', text: address || alt || 'picture', marks }] }]
}

const maxName = 200

function fileBlock(address: string, label: string, { fileAt }: Context): Block | null {
  const found = fileAt(address, label)
  return found && { type: 'file', attrs: { file: `import:file/${found.id}`, name: validText(found.name.slice(0, maxName)), bytes: 1 } }
}

function piecesFrom(inlines: readonly Inline[], context: Context): Piece[] {
  const pieces = byLink(inlines).flatMap(({ link, inlines: run }): Piece[] => {
    const file = link && fileBlock(link.attrs.href, labelOf(run, link), context)
    return file ? [file] : run.map((inline) => plain(inline, link))
  })
  return withMentions(pieces, context.mentioned)
}

// A link without a text shows its address, which is no name.
function labelOf(run: readonly Inline[], link: Link): string {
  const text = run.map((inline) => (inline.type === 'text' ? inline.text : '')).join('')
  return text === link.attrs.href ? '' : text.trim()
}

function plain(inline: Inline, link: Link | undefined): Inline {
  if (inline.type === 'mention') return { type: 'text', text: `@[${inline.attrs.label}](member:${inline.attrs.id})` }
  if (inline.type !== 'text' || isCode(inline) || link?.attrs.href === inline.text) return inline
  return { ...inline, text: withEmoji(inline.text) }
}

function isCode({ marks }: Text): boolean {
  return marks?.some(({ type }) => type === 'code') ?? false
}

/** `>! text` is a spoiler: a quote whose lines begin with an exclamation mark. Here it is an open quote. */
function withoutSpoiler(blocks: readonly Block[], { notes }: Context): readonly Block[] {
  if (!begins(blocks[0])) return blocks
  notes.add('spoiler')
  return blocks.map((block) => (block.type === 'paragraph' ? { ...block, content: linesOf(block.content ?? []) } : block))
}

function begins(block: Block | undefined): boolean {
  const first = block?.type === 'paragraph' ? block.content?.[0] : undefined
  return first?.type === 'text' && !isCode(first) && first.text.startsWith('!')
}

function linesOf(inlines: readonly Inline[]): Inline[] {
  return inlines.map((inline, at) => {
    const isFirst = at === 0 || inlines[at - 1]?.type === 'hardBreak'
    return inline.type === 'text' && isFirst ? { ...inline, text: inline.text.replace(/^! ?/, '') } : inline
  })
}
