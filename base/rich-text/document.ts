import { z } from 'zod'
import { languageName } from '#base/rich-text/code-language.ts'
import { normalise } from '#base/rich-text/normalise.ts'
import { hasHeapedMarks, isSeen } from '#base/plain-text.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import { toText } from '#base/rich-text/to-text.ts'

export type Link = { type: 'link'; attrs: { href: string; title?: string | undefined } }
export type Mark = { type: 'bold' | 'italic' | 'strike' | 'code' } | Link
export type Text = { type: 'text'; text: string; marks?: Mark[] | undefined }
export type Mention = { type: 'mention'; attrs: { id: string; label: string } }
export type Picture = { type: 'image'; attrs: { file: string; alt: string; width: number; height: number } }
/** A file to be saved, under its name and with its size. */
export type Attachment = { type: 'file'; attrs: { file: string; name: string; bytes: number } }
export type Inline = Text | Mention | { type: 'hardBreak' }
export type Paragraph = { type: 'paragraph'; content?: Inline[] | undefined }
export type Cell = { type: 'tableCell' | 'tableHeader'; attrs: { align: Align }; content: [Paragraph] }
export type Align = 'left' | 'center' | 'right' | null
export type Item = { type: 'listItem'; content: Block[] }
export type Task = { type: 'taskItem'; attrs: { checked: boolean }; content: Block[] }

// A hidden part, to be opened by password, comment, level, points or balance, will be one more block.
export type Block =
  | Paragraph
  | { type: 'heading'; attrs: { level: 2 | 3 | 4 }; content?: Inline[] | undefined }
  | { type: 'bulletList'; content: Item[] }
  | { type: 'orderedList'; attrs: { start: number }; content: Item[] }
  | { type: 'taskList'; content: Task[] }
  | { type: 'blockquote'; content: Block[] }
  | { type: 'codeBlock'; attrs: { language: string }; content?: [{ type: 'text'; text: string }] | undefined }
  | { type: 'horizontalRule' }
  | { type: 'table'; content: { type: 'tableRow'; content: Cell[] }[] }
  | Picture
  | Attachment

export type Doc = { type: 'doc'; content: Block[] }

/** Any node, for walks that do not care which. */
export type Node = { type: string; text?: string; attrs?: Record<string, unknown>; content?: Node[] | undefined }

// Half a surrogate pair is no text, and the database takes no NUL.
const sound = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'))
const written = sound.min(1)
export const longestTitle = 200
const mostMarks = 5
const mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['bold', 'italic', 'strike', 'code']) }),
  z.strictObject({
    type: z.literal('link'),
    attrs: z.strictObject({ href: sound.refine((href) => safeUrl(href) !== null), title: written.max(longestTitle).optional() }),
  }),
])
const text = z.strictObject({ type: z.literal('text'), text: written, marks: z.array(mark).max(mostMarks).optional() })
const mention = z.strictObject({
  type: z.literal('mention'),
  attrs: z.strictObject({ id: z.string().regex(/^[1-9]\d{0,17}$/), label: written.max(50) }),
})
const hardBreak = z.strictObject({ type: z.literal('hardBreak') })
const side = z.int().min(1).max(20_000)
const picture = z.strictObject({
  type: z.literal('image'),
  attrs: z.strictObject({ file: z.string().regex(/^[\w-]{1,64}$/), alt: sound.max(300), width: side, height: side }),
})
const attachment = z.strictObject({
  type: z.literal('file'),
  attrs: z.strictObject({ file: z.string().regex(/^[\w-]{1,64}$/), name: written.max(200), bytes: z.int().min(1).max(999_999_999) }),
})
const inline = z.discriminatedUnion('type', [text, mention, hardBreak])
const paragraph = z.strictObject({ type: z.literal('paragraph'), content: z.array(inline).optional() })

const block: z.ZodType<Block> = z.lazy(() => anyBlock)
const blocks = z.array(block).min(1)
const item = z.strictObject({ type: z.literal('listItem'), content: blocks })
const task = z.strictObject({ type: z.literal('taskItem'), attrs: z.strictObject({ checked: z.boolean() }), content: blocks })
const align = z.enum(['left', 'center', 'right']).nullable()
const cell = z.strictObject({ type: z.enum(['tableCell', 'tableHeader']), attrs: z.strictObject({ align }), content: z.tuple([paragraph]) })
const row = z.strictObject({ type: z.literal('tableRow'), content: z.array(cell).min(1).max(30) })

const anyBlock = z.discriminatedUnion('type', [
  paragraph,
  z.strictObject({
    type: z.literal('heading'),
    attrs: z.strictObject({ level: z.union([z.literal(2), z.literal(3), z.literal(4)]) }),
    content: z.array(inline).optional(),
  }),
  z.strictObject({ type: z.literal('bulletList'), content: z.array(item).min(1) }),
  z.strictObject({
    type: z.literal('orderedList'),
    attrs: z.strictObject({ start: z.int().min(0).max(999_999_999) }),
    content: z.array(item).min(1),
  }),
  z.strictObject({ type: z.literal('taskList'), content: z.array(task).min(1) }),
  z.strictObject({ type: z.literal('blockquote'), content: blocks }),
  z.strictObject({
    type: z.literal('codeBlock'),
    attrs: z.strictObject({ language: z.string().regex(languageName) }),
    content: z.tuple([z.strictObject({ type: z.literal('text'), text: written })]).optional(),
  }),
  z.strictObject({ type: z.literal('horizontalRule') }),
  z.strictObject({ type: z.literal('table'), content: z.array(row).min(1).max(200) }),
  picture,
  attachment,
])

const rootOf = (child: z.ZodType<Block>) => z.strictObject({ type: z.literal('doc'), content: z.array(child).min(1) })
const wholeDocument = rootOf(block)
const plainDocument = rootOf(z.discriminatedUnion('type', [paragraph, picture]))

export type Limits = {
  /** The longest text, in characters as people count them. */
  maxText: number
  maxPictures?: number
  maxFiles?: number
  maxMentions?: number
  /** Paragraphs and pictures alone, as replies have. */
  isPlain?: boolean
}

/** What makes up a document, for those who describe it. */
export const documentParts = {
  Document: wholeDocument,
  ReplyDocument: plainDocument,
  Block: block,
  Paragraph: paragraph,
  ListItem: item,
  TaskItem: task,
  TableRow: row,
  TableCell: cell,
  Image: picture,
  File: attachment,
  Inline: inline,
  Text: text,
  Mention: mention,
  Mark: mark,
}

/** How much of a document is taken, and whether of a plain one. */
export type DocumentLimits = {
  characters: number
  pictures: number
  files: number
  mentions: number
  nodes: number
  depth: number
  isPlain: boolean
}

const [deepest, mostNodes] = [20, 5000]
// Where links lead, and what they are called, in characters: nobody counts them with the text, yet all are read with it.
const mostAddresses = 100_000

/** The schema of a post's document. Size and depth are looked at first, so a hostile one costs little; each fault has one message. */
export function documentOf({ maxText, maxPictures = 50, maxFiles = 20, maxMentions = 30, isPlain = false }: Limits): z.ZodType<Doc, Doc> {
  const limits: DocumentLimits = {
    characters: maxText,
    pictures: maxPictures,
    files: maxFiles,
    mentions: maxMentions,
    nodes: mostNodes,
    depth: deepest,
    isPlain,
  }
  const schema = z.unknown().transform((value, context): Doc => {
    const seen = seenIn(value, maxText)
    const excess = excessIn(seen, limits)
    const parsed = excess ? null : (isPlain ? plainDocument : wholeDocument).safeParse(value)
    const document = parsed?.success ? normalise(parsed.data) : null
    const isHeaped = document !== null && hasHeapedMarks(toText(document))
    if (document && !isHeaped && !seen.isBlank) return document
    const isNothing = value === null || value === undefined || document !== null
    const params = excess ?? { code: isHeaped ? 'validation.marks' : isNothing ? 'base.documentEmpty' : 'base.documentInvalid' }
    context.issues.push({ code: 'custom', input: value, params })
    return z.NEVER
  })
  return schema.meta({ document: limits }) as unknown as z.ZodType<Doc, Doc>
}

/** Whether a document is made as ours are, however long it is. */
export function hasShape(doc: Node, isPlain = false): boolean {
  return depthOf(doc) <= deepest && (isPlain ? plainDocument : wholeDocument).safeParse(doc).success
}

function depthOf({ content = [] }: Node): number {
  return content.reduce((depth, child) => Math.max(depth, depthOf(child) + 1), 0)
}

type Fault = { code: string; values?: Record<string, number> }

function seenIn(value: unknown, maxText: number): Seen {
  const seen = newlySeen()
  look(value, 0, seen, maxText)
  return seen
}

function excessIn(seen: Seen, limits: DocumentLimits): Fault | null {
  if (seen.isTooDeep) return { code: 'base.documentTooDeep' }
  if (seen.nodes > limits.nodes) return { code: 'base.documentTooManyParts' }
  if (seen.text > limits.characters) return { code: 'base.documentTooLong', values: { max: limits.characters } }
  if (seen.addresses > mostAddresses) return { code: 'base.documentAddresses', values: { max: mostAddresses } }
  if (seen.pictures > limits.pictures) return { code: 'base.documentPictures', values: { max: limits.pictures } }
  if (seen.files > limits.files) return { code: 'base.documentFiles', values: { max: limits.files } }
  if (seen.mentions > limits.mentions) return { code: 'base.documentMentions', values: { max: limits.mentions } }
  return null
}

type Seen = {
  nodes: number
  text: number
  addresses: number
  pictures: number
  files: number
  mentions: number
  isTooDeep: boolean
  isBlank: boolean
}

function newlySeen(): Seen {
  return { nodes: 0, text: 0, addresses: 0, pictures: 0, files: 0, mentions: 0, isTooDeep: false, isBlank: true }
}

// What says something without a word.
const shown = new Set(['image', 'file', 'mention'])

function look(value: unknown, depth: number, seen: Seen, maxText: number): void {
  if (seen.nodes > mostNodes || seen.text > maxText) return
  // What is no node is counted too, for each costs a fault of its own.
  seen.nodes++
  if (typeof value !== 'object' || value === null) return
  if (depth > deepest) {
    seen.isTooDeep = true
    return
  }
  const node = value as Partial<Node> & { marks?: unknown }
  if (Array.isArray(node.marks)) lookAtMarks(node.marks, seen)
  if (node.type === 'image') seen.pictures++
  if (node.type === 'file') seen.files++
  if (node.type === 'mention') seen.mentions++
  if (typeof node.text === 'string') seen.text += node.text.length
  if (shown.has(node.type ?? '') || (typeof node.text === 'string' && isSeen(node.text))) seen.isBlank = false
  if (Array.isArray(node.content)) for (const child of node.content) look(child, depth + 1, seen, maxText)
}

function lookAtMarks(marks: readonly (Partial<Link> | null)[], seen: Seen): void {
  if (marks.length > mostMarks) seen.nodes += marks.length
  else for (const mark of marks) seen.addresses += lengthOf(mark?.attrs?.href) + lengthOf(mark?.attrs?.title)
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}
