import { z } from 'zod'
import { read, refusal } from '#base/contract.ts'
import { listed, listOf } from '#base/list.ts'

export { deeds, undone, type DeedName, type PlainDeed } from '#audit/deeds.ts'

/** Two had it open at once; `by` saved first. */
export const ChangedSince = refusal('audit.changedBy', { status: 409, field: 'version' })

const Passage = z.object({ before: z.string(), after: z.string() }).nullable()

export const EditView = z.object({ isWithheld: z.boolean(), isPurged: z.boolean(), title: Passage, text: Passage })
export type EditView = z.infer<typeof EditView>

export const DeedView = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  staffId: z.string().nullable(),
  account: z.string(),
  ip: z.string(),
  deed: z.string(),
  about: z.string().nullable(),
  reason: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** What an edit of a post changed, as long as its words may be read. */
  edit: EditView.nullable(),
})

export const auditLog = read('/admin/audit/list', {
  does: 'What staff did.',
  takes: listOf(['at'], {
    account: z.string().max(25).optional(),
    /** A deed with what it is part of: `topic.remove`; or all of a kind: `topic`. */
    deed: z.string().max(60).optional(),
    about: z.string().max(60).optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
  }),
  gives: listed(
    DeedView.extend({
      /** What it was about, by name, where that is still there. */ called: z.object({ zh: z.string(), en: z.string() }).nullable(),
    }),
  ),
})
