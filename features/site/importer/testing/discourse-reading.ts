import { onTestFinished } from 'vitest'
import { openDiscourse, type DiscourseOptions } from '#importer/server/discourse/reader.ts'
import type { Kind, Range, Reader, SourceRows } from '#importer/server/source.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import type { dumpFolder } from '#importer/testing/dump-file.ts'
import { oldDiscourse } from '#importer/testing/old-discourse.ts'
import { postgresDump, type PgTables } from '#importer/testing/postgres-dump.ts'

/** A reader of the small Discourse with some tables replaced, until the test ends. */
export async function aDiscourse(
  { write }: ReturnType<typeof dumpFolder>,
  tables: PgTables = {},
  options: DiscourseOptions = {},
): Promise<Reader> {
  const dump = write('changed.sql', postgresDump({ ...oldDiscourse, ...tables }))
  const reader = await openDiscourse(await openDump(dump), { bytesOf: () => Promise.resolve(null) }, options)
  onTestFinished(() => reader.close())
  return reader
}

/** All rows of a kind up to now. */
export async function rowsOf<K extends Kind>(reader: Reader, kind: K, range: Partial<Range> = {}): Promise<SourceRows[K][]> {
  const { [kind]: upto = '' } = await reader.marks()
  const rows: SourceRows[K][] = []
  for await (const page of reader.rows[kind]({ after: null, since: null, upto, ...range })) rows.push(...page.rows)
  return rows
}
