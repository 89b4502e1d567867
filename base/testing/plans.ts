import pg from 'pg'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Index Cond'?: string
  Filter?: string
  Plans?: Node[]
}

/** The number of rows a plan reads from a table, and how. */
export type TableAccess = { table: string; rows: number; how: string }

/** Runs a statement with its generic plan, rolls it back, and returns the rows it read. */
export async function tableAccesses(client: pg.Client, text: string, values: readonly unknown[]): Promise<TableAccess[]> {
  await client.query('begin')
  try {
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(preparing(text))
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explaining(values))
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => accessesIn(Plan)))
  } catch (error) {
    // A unique violation: the row already exists.
    if (error instanceof pg.DatabaseError && error.code?.startsWith('23')) return []
    throw error
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function preparing(text: string): string {
  return `prepare asked as ${text}`
}

function explaining(values: readonly unknown[]): string {
  const args = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  return `explain (analyze, buffers off, timing off, format json) execute asked${args}`
}

function literal(value: unknown): string {
  return value === null || value === undefined ? 'null' : pg.escapeLiteral(arrayLiteral(value))
}

function arrayLiteral(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  return JSON.stringify(value)
}

function element(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(arrayLiteral(value))
}

function accessesIn(node: Node): TableAccess[] {
  const below = (node.Plans ?? []).flatMap(accessesIn)
  const table = node['Relation Name']
  if (!table || node['Node Type'] === 'ModifyTable') return below
  const passed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const rows = Math.round((node['Actual Rows'] + passed) * node['Actual Loops'])
  return [...below, { table, rows, how: [node['Node Type'], node['Index Cond'], node.Filter].filter(Boolean).join(' ') }]
}
