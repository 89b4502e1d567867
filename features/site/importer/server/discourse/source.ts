import { allRows, numberKeys } from '#importer/server/tables/pages.ts'
import { id, text, type Row, type SourceTables } from '#importer/server/tables/source-tables.ts'

/** An opened Discourse. */
export type Discourse = {
  tables: SourceTables
  /** Its own addresses, which are not in its database. */
  origins: readonly string[]
  /** Settings that differ from their defaults. */
  settings: ReadonlyMap<string, string>
  /** Tags that only some groups see. */
  hiddenTagIds: ReadonlySet<string>
  /** Categories in which answers are accepted. */
  questionCategoryIds: ReadonlySet<string>
  /** The time of the import, by which bans, pins and polls are judged. */
  now: Date
}

/** Discourse stores everything in UTF-8. */
export function str(row: Row, column: string): string {
  return text(row, column, (bytes) => bytes.toString())
}

/** The groups that Discourse fills by itself. */
export const automatic = {
  everyone: '0',
  staff: ['1', '2', '3'],
  /** All who have an account. */
  members: '10',
  /** The same in versions of 2026 and later, under an id of their own. */
  membersName: 'logged_in_users',
} as const

/** Tags that belong to a group of tags which not everyone sees. */
export async function hiddenTagsIn(tables: SourceTables): Promise<Set<string>> {
  const permissions = await allRows(tables, {
    table: 'tag_group_permissions',
    columns: ['id', 'tag_group_id', 'group_id'],
    keys: numberKeys('id'),
  })
  const restricted = new Set(permissions.map((row) => id(row, 'tag_group_id')))
  for (const row of permissions) if (id(row, 'group_id') === automatic.everyone) restricted.delete(id(row, 'tag_group_id'))
  const held = await allRows(tables, { table: 'tag_group_memberships', columns: ['id', 'tag_id', 'tag_group_id'], keys: numberKeys('id') })
  return new Set(held.flatMap((row) => (restricted.has(id(row, 'tag_group_id')) ? [id(row, 'tag_id')] : [])))
}

/** The categories whose topics are questions. */
export async function questionCategoriesIn(tables: SourceTables): Promise<Set<string>> {
  const rows = await allRows(tables, {
    table: 'category_custom_fields',
    columns: ['id', 'category_id', 'name', 'value'],
    keys: numberKeys('id'),
  })
  const accepting = rows.filter((row) => str(row, 'name') === 'enable_accepted_answers' && ['true', 't'].includes(str(row, 'value')))
  return new Set(accepting.map((row) => id(row, 'category_id')))
}

export async function settingsIn(tables: SourceTables): Promise<Map<string, string>> {
  const rows = await allRows(tables, { table: 'site_settings', columns: ['id', 'name', 'value'], keys: numberKeys('id') })
  return new Map(rows.map((row) => [str(row, 'name'), str(row, 'value')]))
}

/** A setting that is off by default. */
export function isOn({ settings }: Discourse, name: string): boolean {
  return settings.get(name) === 't'
}
