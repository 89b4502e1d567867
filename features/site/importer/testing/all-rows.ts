import { kinds, type Kind, type Reader, type SourceRows } from '#importer/server/source.ts'

/** The rows of one kind, of all its pages, since a mark or from the beginning. */
export async function rowsOfKind<K extends Kind>(reader: Reader, kind: K, since: string | null = null): Promise<SourceRows[K][]> {
  const upto = (await reader.marks())[kind] ?? ''
  const rows: SourceRows[K][] = []
  for await (const page of reader.rows[kind]({ after: null, since, upto })) rows.push(...page.rows)
  return rows
}

/** All rows of a community, by their kinds. */
export async function allRowsOf(reader: Reader): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const kind of kinds) rows[kind] = await rowsOfKind(reader, kind)
  return rows
}
