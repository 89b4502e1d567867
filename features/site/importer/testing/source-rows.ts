import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The rows that real programs wrote, and how their tables were made. See rows/. */
export type RowsOf = 'phpbb' | 'discuz'

const folder = join(import.meta.dirname, 'rows')

/** A dump with the structure of the tables, as mariadb-dump writes one with UTF-8. */
export function dumpOf(program: RowsOf): string {
  return `/*!40101 SET NAMES utf8mb4 */;\n${createTables(program)}\n${insertsOf(program)}`
}

export function insertsOf(program: RowsOf): string {
  return readFileSync(join(folder, `${program}.sql`), 'utf8')
}

/** CREATE TABLE of each table, with its charsets and collations. */
export function createTables(program: RowsOf): string {
  const tables = Map.groupBy(columnsOf(program), ({ table }) => table)
  return [...tables].map(([table, columns]) => createTable(table, columns)).join('\n')
}

type Column = { program: string; table: string; name: string; type: string; charset: string; collation: string; key: string }

function columnsOf(program: RowsOf): Column[] {
  const lines = readFileSync(join(folder, 'columns.tsv'), 'utf8').trimEnd().split('\n')
  return lines
    .map((line): Column => {
      const [program = '', table = '', name = '', type = '', charset = '', collation = '', key = ''] = line.split('\t')
      return { program, table, name, type, charset, collation, key }
    })
    .filter((column) => column.program === program)
}

function createTable(table: string, columns: readonly Column[]): string {
  const primary = columns.filter(({ key }) => key === 'PRI').map(({ name }) => `\`${name}\``)
  const definitions = columns.map(
    ({ name, type, charset, collation }) => `  \`${name}\` ${type}${charset && ` CHARACTER SET ${charset} COLLATE ${collation}`} NOT NULL`,
  )
  const parts = [...definitions, ...(primary.length > 0 ? [`  PRIMARY KEY (${primary.join(',')})`] : [])]
  return `CREATE TABLE \`${table}\` (\n${parts.join(',\n')}\n) ENGINE=InnoDB;`
}
