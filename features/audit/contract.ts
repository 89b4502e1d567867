import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
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
  /** As it was then; of a member who keeps order, `member` and their id. */
  account: z.string(),
  ip: z.string(),
  region: z.string().nullable(),
  deed: z.string(),
  about: z.string().nullable(),
  reason: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** What an edit of a post changed, as long as its words may be read. */
  edit: EditView.nullable(),
})

export const CalledView = z.object({ zh: z.string(), en: z.string() })

export const auditLog = read('/admin/audit/list', {
  summary: 'What staff did.',
  input: listOf(['at'], {
    account: z.string().max(25).optional(),
    /** A deed with what it is part of: `topic.remove`; or all of a kind: `topic`. */
    deed: z.string().max(60).optional(),
    about: z.string().max(60).optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
  }),
  output: listed(
    DeedView.extend({
      /** What a member who did it is called. */
      by: CalledView.nullable(),
      /** What it was about, by name, where that is still there. */
      called: CalledView.nullable(),
      /** What it names by number in what it changed, where that is still there. */
      named: z.array(CalledView.extend({ about: z.string() })),
    }),
  ),
})

/** The call that notes that somebody took a file of a list; without it nobody gets one. */
export function exportOf<const Path extends string>(path: Path) {
  return write(path, {
    summary: 'Notes that somebody took a file of this list, before they get it.',
    input: z.object({ rows: z.int().min(0).max(10_000), /** What the list was narrowed to. */ asked: z.string().max(1_000).default('') }),
    output: nothing,
  })
}

export const noteLogExport = exportOf('/admin/audit/export')
