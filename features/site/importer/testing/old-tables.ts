import iconv from 'iconv-lite'

export type OldRow = Readonly<Record<string, number | string>>
export type OldTables = Readonly<Record<string, readonly OldRow[]>>

/** Statements that make tables of these rows: a column is a whole number or a text, as the value of the first row that has it. */
export function tablesSql(tables: OldTables, charset: 'gbk' | 'utf8mb3'): string {
  return Object.entries(tables)
    .flatMap(([table, rows]) => [createTable(table, rows, charset), ...rows.map((row) => insert(table, row, charset))])
    .join('\n')
}

function createTable(table: string, rows: readonly OldRow[], charset: string): string {
  const columns = Object.assign({}, ...rows.toReversed()) as OldRow
  const definitions = Object.entries(columns).map(
    ([name, value]) =>
      `\`${name}\` ${typeof value === 'number' ? 'bigint not null default 0' : `varchar(2000) charset ${charset} not null default ''`}`,
  )
  return `create table \`${table}\` (${definitions.join(', ')}) engine=InnoDB;`
}

function insert(table: string, row: OldRow, charset: 'gbk' | 'utf8mb3'): string {
  const columns = Object.keys(row).map((name) => `\`${name}\``)
  const values = Object.values(row).map((value) => (typeof value === 'number' ? String(value) : literal(value, charset)))
  return `insert into \`${table}\` (${columns.join(', ')}) values (${values.join(', ')});`
}

function literal(text: string, charset: 'gbk' | 'utf8mb3'): string {
  const bytes = charset === 'gbk' ? iconv.encode(text, 'gbk') : Buffer.from(text)
  return bytes.length === 0 ? `''` : `_${charset} X'${bytes.toString('hex')}'`
}
