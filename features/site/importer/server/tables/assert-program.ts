import { CannotStart } from '#base/server/cannot-start.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

/** Refuses a database that is of another program, with what was found instead. A program whose tables never have a prefix has null. */
export async function assertProgram(
  tables: SourceTables,
  program: string,
  prefix: string | null,
  needed: readonly string[],
): Promise<void> {
  const present = await tables.tables()
  const missing = needed.filter((table) => !present.includes(table))
  if (missing.length === 0) return
  const some = present.slice(0, 5).join(', ')
  const place = prefix === null ? '' : prefix === '' ? ' without a table prefix' : ` with the table prefix ${prefix}`
  const found = some ? ` There is ${some}${present.length > 5 ? ' and more' : ''}.` : ' There are no tables at all.'
  const hint = some && prefix !== null ? ' Name the prefix with --prefix.' : ''
  throw new CannotStart(
    `There is no ${program}${place}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.${found}${hint}`,
  )
}
