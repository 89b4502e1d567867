import pg from 'pg'
import { escapeIdentifier } from '#database/backup-folder.ts'

/** A guard without its expression: what the catalogue says of it. */
export function identityOf(guard: string): string {
  return guard.split(' = ', 1)[0] ?? guard
}

/**
 * Whether two wordings of a guard's expression have one meaning to this server. It reads each, prints it, and reads its own print again
 * until that stays the same: versions of PostgreSQL print, and simplify, one expression in several ways.
 */
export async function meanTheSame(client: pg.ClientBase, guard: string, other: string): Promise<boolean> {
  if (!guard.includes(' = ')) return false
  await client.query('begin')
  try {
    return (await meaningOf(client, queryOf(guard))) === (await meaningOf(client, queryOf(other)))
  } catch (error) {
    // An expression over a column that is gone, or in words of another version.
    if (error instanceof pg.DatabaseError) return false
    throw error
  } finally {
    await client.query('rollback')
  }
}

// Two rounds are enough for what is known; an expression that never stays is its last print.
const maxRounds = 10

async function meaningOf(client: pg.ClientBase, query: string, rounds = maxRounds): Promise<string> {
  const { rows: made } = await client.query<{ creates: string }>(
    `select format('create temp view guard_meaning as %s', $1::text) as creates`,
    [query.replace(/;$/, '')],
  )
  for (const { creates } of made) await client.query(creates)
  const { rows } = await client.query<{ printed: string }>("select pg_get_viewdef('pg_temp.guard_meaning'::regclass) as printed")
  await client.query('drop view pg_temp.guard_meaning')
  const printed = rows[0]?.printed ?? ''
  return printed === query || rounds === 0 ? printed : meaningOf(client, printed, rounds - 1)
}

// A view shows how the server reads a query; the expressions of a guard are read over the columns of its table.
function queryOf(guard: string): string {
  const [kind = '', ...words] = identityOf(guard).split(' ')
  const expression = guard.slice(identityOf(guard).length + ' = '.length)
  if (kind === 'view') return expression
  const table = escapeIdentifier((kind === 'index' ? words[2] : words[0]) ?? '')
  const rows = kind === 'trigger' ? `${table} as old, ${table} as new` : table
  return `select json_build_array(${expression}) as expressions from ${rows}`
}
