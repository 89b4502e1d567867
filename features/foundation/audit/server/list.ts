import { sql } from 'kysely'
import type { Answer, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import { withRegions } from '#base/server/region.ts'
import type { auditLog, EditView } from '#audit/contract.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { referencesIn } from '#audit/references.ts'
import type { LoggedEdit } from '#audit/server/audit.ts'
import { subjectNames } from '#audit/server/subject-names.ts'

const id = sql`audit_log.id`
// Entries are numbered in order of time.
const keys = { at: { by: id, as: 'bigint' } } as const

async function editsOf(db: Db, entries: readonly LoggedEdit[]): Promise<ReadonlyMap<string, EditView>> {
  const found = await Promise.all(featuresOf(db).map(async ({ auditEdits }) => [...((await auditEdits?.(db, entries)) ?? [])]))
  return new Map(found.flat())
}

/** The changes of an edited post are only for staff who may read posts. */
export async function list(db: Db, by: StaffActor, input: ParsedInput<typeof auditLog>): Promise<Answer<typeof auditLog>> {
  const { account, action, about, since, until } = input
  let query = db
    .selectFrom('audit_log')
    .select(['id', 'at', 'staff_id as staffId', 'account', 'ip', 'action', 'about', 'reason', 'before', 'after'])
  if (account) query = query.where('account', '=', account)
  if (action) query = query.where(sql<boolean>`(action = ${action} or starts_with(action, ${action} || '.'))`)
  if (about) query = query.where('about', '=', about)
  if (since) query = query.where('at', '>=', new Date(since))
  if (until) query = query.where('at', '<', new Date(until))
  const page = await paged(db, query, { ...input, keys, id })
  const [edits, names] = await Promise.all([
    by.may('content.view') ? editsOf(db, page.rows) : new Map<string, EditView>(),
    subjectNames(
      db,
      page.rows.flatMap((row) => [row.about, row.account, ...referencesOf(row)]),
    ),
  ])
  return {
    ...page,
    rows: (await withRegions(page.rows)).map((row) => ({
      ...row,
      by: names.get(row.account) ?? null,
      called: names.get(row.about ?? '') ?? null,
      named: [...new Set(referencesOf(row))].flatMap((about) => {
        const name = names.get(about)
        return name ? [{ about, ...name }] : []
      }),
      edit: edits.get(row.id) ?? null,
    })),
  }
}

function referencesOf({ action, before, after }: { action: string; before: unknown; after: unknown }): string[] {
  return [...referencesIn(action, before), ...referencesIn(action, after)]
}
