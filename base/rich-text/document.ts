import { z } from 'zod'
import { typedString } from '#base/plain-text.ts'
import { languageName } from '#base/rich-text/code-language.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

export type Link = { type: 'link'; attrs: { href: string; title?: string | undefined } }
export type Mark = { type: 'bold' | 'italic' | 'strike' | 'code' } | Link
export type Text = { type: 'text'; text: string; marks?: Mark[] | undefined }
export type Mention = { type: 'mention'; attrs: { id: string; label: string } }
export type Picture = { type: 'image'; attrs: { file: string; alt: string; width: number; height: number } }

const maxHeightRatio = 2.5

/** Whether a picture is so tall that it is folded to its beginning. */
export function isTall({ width, height }: { width: number; height: number }): boolean {
  return height > width * maxHeightRatio
}

/** A downloadable file, with its name and size. */
export type Attachment = { type: 'file'; attrs: { file: string; name: string; bytes: number } }
export type Inline = Text | Mention | { type: 'hardBreak' }
export type Paragraph = { type: 'paragraph'; content?: Inline[] | undefined }
export type Cell = { type: 'tableCell' | 'tableHeader'; attrs: { align: Align }; content: [Paragraph] }
export type Align = 'left' | 'center' | 'right' | null
export type Item = { type: 'listItem'; content: Block[] }
export type Task = { type: 'taskItem'; attrs: { checked: boolean }; content: Block[] }

export const locks = ['password', 'comment', 'level', 'points', 'balance'] as const
export type Lock = (typeof locks)[number]
/**
 * A part that is revealed to members who meet its condition, only at the top level of a topic. Its value is the password, the points a
 * level requires, or the price in points or cents; for a comment it is empty. Its public form has no content and no password.
 */
export type Hidden = { type: 'hidden'; attrs: { id?: string | undefined; lock: Lock; value: string }; content?: Block[] | undefined }

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
  | Hidden

export type Doc = { type: 'doc'; content: Block[] }

/** Any node, for generic traversal. */
export type Node = { type: string; text?: string; attrs?: Record<string, unknown>; content?: Node[] | undefined }

// Unpaired surrogates are invalid text, and the database cannot store NUL.
// Validation stops at the first fault of a document: a list of thousands would cost one each.
const stopAtFirst = { abort: true } as const
const validText = typedString.refine((text) => text.isWellFormed() && !text.includes('\0'), stopAtFirst)
const nonEmptyText = validText.min(1, stopAtFirst)
export const maxTitleLength = 200
export const maxMarks = 5
const mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['bold', 'italic', 'strike', 'code']) }),
  z.strictObject({
    type: z.literal('link'),
    attrs: z.strictObject({
      href: validText.refine((href) => safeUrl(href) !== null, stopAtFirst),
      title: nonEmptyText.max(maxTitleLength).optional(),
    }),
  }),
])
const text = z.strictObject({ type: z.literal('text'), text: nonEmptyText, marks: z.array(mark).max(maxMarks).optional() })
const mention = z.strictObject({
  type: z.literal('mention'),
  attrs: z.strictObject({ id: z.string().regex(/^[1-9]\d{0,17}$/), label: nonEmptyText.max(50) }),
})
const hardBreak = z.strictObject({ type: z.literal('hardBreak') })
const side = z.int().min(1).max(65_535)
const picture = z.strictObject({
  type: z.literal('image'),
  attrs: z.strictObject({ file: z.string().regex(/^[\w-]{1,64}$/), alt: validText.max(300), width: side, height: side }),
})
const attachment = z.strictObject({
  type: z.literal('file'),
  attrs: z.strictObject({ file: z.string().regex(/^[\w-]{1,64}$/), name: nonEmptyText.max(200), bytes: z.int().min(1).max(999_999_999) }),
})
const inline = z.discriminatedUnion('type', [text, mention, hardBreak])
const paragraph = z.strictObject({ type: z.literal('paragraph'), content: z.array(inline).optional() })

const block: z.ZodType<Block> = z.lazy(() => anyBlock)
const blocks = z.array(block).min(1, stopAtFirst)
const item = z.strictObject({ type: z.literal('listItem'), content: blocks })
const task = z.strictObject({ type: z.literal('taskItem'), attrs: z.strictObject({ checked: z.boolean() }), content: blocks })
const align = z.enum(['left', 'center', 'right']).nullable()
const cell = z.strictObject({ type: z.enum(['tableCell', 'tableHeader']), attrs: z.strictObject({ align }), content: z.tuple([paragraph]) })
const row = z.strictObject({ type: z.literal('tableRow'), content: z.array(cell).min(1, stopAtFirst).max(30) })

const anyBlock = z.discriminatedUnion('type', [
  paragraph,
  z.strictObject({
    type: z.literal('heading'),
    attrs: z.strictObject({ level: z.union([z.literal(2), z.literal(3), z.literal(4)]) }),
    content: z.array(inline).optional(),
  }),
  z.strictObject({ type: z.literal('bulletList'), content: z.array(item).min(1, stopAtFirst) }),
  z.strictObject({
    type: z.literal('orderedList'),
    attrs: z.strictObject({ start: z.int().min(0).max(999_999_999) }),
    content: z.array(item).min(1, stopAtFirst),
  }),
  z.strictObject({ type: z.literal('taskList'), content: z.array(task).min(1, stopAtFirst) }),
  z.strictObject({ type: z.literal('blockquote'), content: blocks }),
  z.strictObject({
    type: z.literal('codeBlock'),
    attrs: z.strictObject({ language: z.string().regex(languageName) }),
    content: z.tuple([z.strictObject({ type: z.literal('text'), text: nonEmptyText })]).optional(),
  }),
  z.strictObject({ type: z.literal('horizontalRule') }),
  z.strictObject({ type: z.literal('table'), content: z.array(row).min(1, stopAtFirst).max(200) }),
  picture,
  attachment,
])

/** A hidden part as its author sends it; without content, an existing part that stays unchanged. */
const hidden = z.strictObject({
  type: z.literal('hidden'),
  attrs: z.strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,40}$/)
      .optional(),
    lock: z.enum(locks),
    value: validText.max(200),
  }),
  content: blocks.optional(),
})

const rootOf = (child: z.ZodType<Block>) => z.strictObject({ type: z.literal('doc'), content: z.array(child).min(1, stopAtFirst) })
/** A hidden part cannot be nested. */
export const wholeDocument = rootOf(z.union([block, hidden]))
export const plainDocument = rootOf(z.discriminatedUnion('type', [paragraph, picture]))

/** The parts of a document, for the API documentation. */
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
  Hidden: hidden,
  Inline: inline,
  Text: text,
  Mention: mention,
  Mark: mark,
}
