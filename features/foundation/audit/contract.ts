import { z } from 'zod'
import { nothing, refusal, write } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'

export type { AuditAction, PlainAction } from '#audit/actions.ts'

/** Concurrent edit: `by` saved first. */
export const ChangedSince = refusal('audit.changedBy', { status: 409, field: 'version' })

const Passage = z.object({ before: z.string(), after: z.string() }).nullable()

export const EditView = z.object({ isWithheld: z.boolean(), isPurged: z.boolean(), title: Passage, text: Passage })
export type EditView = z.infer<typeof EditView>

export const CalledView = z.object({ zh: z.string(), en: z.string() })

export const auditLog = staffList('/admin/audit/list', {
  summary: 'Audit log of staff actions.',
  words: 'auditAdmin',
  columns: {
    at: field.time,
    /** The account at that time; for a moderator of the forum, `member` and the id. */
    account: field.text,
    action: field.text,
    code: field.extra(field.composed),
    about: field.orNull(field.text),
    reason: field.orNull(field.text),
    change: field.composed,
    ip: field.extra(field.text),
    region: field.extra(field.region),
  },
  values: {
    staffId: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    /** The changes of an edit, as long as the text may be read. */
    edit: EditView.nullable(),
    /** The name of the member who acted. */
    by: CalledView.nullable(),
    /** The name of the subject, if it still exists. */
    called: CalledView.nullable(),
    /** The items that the changes refer to by id, if they still exist. */
    named: z.array(CalledView.extend({ about: z.string() })),
  },
  filters: {
    account: field.typed(z.string().max(25).optional()),
    /** An action with its group: `topic.remove`; or the whole group: `topic`. */
    action: field.typed(z.string().max(60).optional()),
    about: field.typed(z.string().max(60).optional()),
    ...field.times,
  },
  sorts: { at: 'at' },
})

/** Records the export of a list; an export needs this entry. */
export function exportOf<const Path extends string>(path: Path) {
  return write(path, {
    summary: 'Records the export of a list in the audit log. Must be called before the export.',
    input: z.object({ rows: z.int().min(0).max(10_000), /** The filters of the list. */ asked: z.string().max(1_000).default('') }),
    output: nothing,
  })
}

export const noteLogExport = exportOf('/admin/audit/export')
