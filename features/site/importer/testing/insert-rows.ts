export type InsertedRow = { table: string; row: Readonly<Record<string, string | null>> }

/** The rows of a dump of MySQL with one INSERT for each and the names of the columns; numbers as text. */
export function insertedRows(sql: string): InsertedRow[] {
  const rows: InsertedRow[] = []
  for (const [, table = '', columns = '', values = ''] of sql.matchAll(/^INSERT INTO `(\w+)` \(([^)]*)\) VALUES \((.*)\);$/gm)) {
    const names = columns.split(', ').map((name) => name.slice(1, -1))
    const cells = [...values.matchAll(/'((?:[^'\\]|\\.)*)'|([^,']+)/g)].map(([, text, bare]) => valueOf(text, bare))
    if (cells.length !== names.length) throw new Error(`${cells.length} values for ${names.length} columns of ${table}`)
    rows.push({ table, row: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])) })
  }
  return rows
}

function valueOf(text: string | undefined, bare: string | undefined): string | null {
  if (text === undefined) return bare === undefined || bare === 'NULL' ? null : bare
  return text.replaceAll(/\\(.)/g, (_, escaped: string) => controls[escaped] ?? escaped)
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a' }
