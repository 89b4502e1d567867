import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { hasShape } from '#base/rich-text/check-document.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { maxMarkdownLength } from '#base/rich-text/markdown.ts'
import { threadKinds } from '#kind/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const TooManyDrafts = refusal('draft.tooMany')

export const maxDrafts = 100

/**
 * The target of a draft: a topic or a question, a comment, a reply to a comment or to another reply, an edit of one of these, or a
 * message to a member.
 */
export const draftPlace = z
  .string()
  .regex(
    /^(topic|question|comment [1-9]\d{0,17}|reply [1-9]\d{0,17}( [1-9]\d{0,17})?|edit (topic|comment|reply) [1-9]\d{0,17}|message [1-9]\d{0,17})$/,
  )

/** Of a form with every part that a thread may come with. */
const maxFields = 50
const sound = z.string().max(2_000)

/** The content of a form: its text, in the view in which it was written, and its plain fields. */
export const DraftContent = z.strictObject({
  text: z
    .union([
      z.strictObject({ view: z.literal('rich'), doc: z.custom<Doc>(isDocument) }),
      z.strictObject({ view: z.literal('markdown'), text: z.string().max(maxMarkdownLength) }),
    ])
    .nullable(),
  fields: z
    .record(z.string().max(50), sound)
    .refine((fields) => Object.keys(fields).length <= maxFields)
    .meta({ maxProperties: maxFields }),
})
export type DraftContent = z.infer<typeof DraftContent>

const version = z.string().regex(/^[1-9]\d{0,17}$/)

// Returned as its author saved it, without validation.
const DraftView = z.object({ content: z.custom<DraftContent>(), version, savedAt: z.iso.datetime(), device: z.string() })
export type DraftView = z.infer<typeof DraftView>

export const oneDraft = read('/user/control/draft', {
  summary: 'The member’s draft for a given form.',
  input: z.object({ place: draftPlace }),
  output: z.object({ draft: DraftView.nullable() }),
})

export const saveDraft = write('/user/control/draft/save', {
  summary: 'Saves a draft. If another tab or device saved a newer version, nothing is overwritten and that version is returned.',
  input: z.object({ place: draftPlace, content: DraftContent, basedOn: version.optional(), writer: z.string().regex(/^[\w-]{8,40}$/) }),
  output: z.object({ version: version.nullable(), other: DraftView.nullable() }),
  errors: [TooManyDrafts],
})

export const dropDraft = write('/user/control/draft/drop', {
  summary: 'Deletes a draft, unless a newer version was saved since.',
  input: z.object({ place: draftPlace, version }),
  output: nothing,
})

export const listDrafts = read('/user/control/draftList', {
  summary: 'The member’s drafts, newest first, with the topic if still visible, or the recipient of the message.',
  input: nothing,
  output: z.object({
    drafts: z.array(
      z.object({
        place: z.string(),
        version,
        kind: z.enum(['topic', 'question', 'comment', 'reply', 'edit topic', 'edit comment', 'edit reply', 'message']),
        topic: z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string() }).nullable(),
        member: AuthorView.nullable(),
        /** The comment it refers to. */
        commentId: z.string().nullable(),
        title: z.string(),
        text: z.string(),
        savedAt: z.iso.datetime(),
        device: z.string(),
      }),
    ),
  }),
})

// Above the limits of any post, and low enough that a check is cheap.
function isDocument(doc: unknown): boolean {
  return hasShape(doc, { nodes: 10_000 })
}
