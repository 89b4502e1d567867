import { CannotStart } from '#base/server/cannot-start.ts'
import type { SourceTables } from '#importer/server/tables/source-tables.ts'

/** Refuses a database that is of another program, with what was found instead. */
export async function assertProgram(tables: SourceTables, program: string, prefix: string, needed: readonly string[]): Promise<void> {
  const present = await tables.tables()
  const missing = needed.filter((table) => !present.includes(table))
  if (missing.length === 0) return
  const some = present.slice(0, 5).join(', ')
  throw new CannotStart(
    `There is no ${program} ${prefix === '' ? 'without a table prefix' : `with the table prefix ${prefix}`}: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.` +
      (some ? ` There is ${some}${present.length > 5 ? ' and more' : ''}. Name the prefix with --prefix.` : ' There are no tables at all.'),
  )
}
