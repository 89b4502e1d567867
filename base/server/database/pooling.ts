import pg from 'pg'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'

/** What stands between the program and PostgreSQL: nothing, or a pooler in the mode that it gives its sessions in. */
export type Pooling = {
  mode: 'none' | 'session' | 'transaction' | 'statement'
  /** Prepared statements are found again. */ keepsStatements: boolean
}

/** Recognises a pooler by what its sessions do, for none says its name. */
export async function poolingAt(ownerUrl: string): Promise<Pooling> {
  const one = await connectAsOwner(ownerUrl)
  try {
    // The key to cancel statements by is the pooler's own, not that of a process of PostgreSQL.
    if ((await backendOf(one)) === processIdOf(one)) return { mode: 'none', keepsStatements: true }
    const other = await connectAsOwner(ownerUrl)
    try {
      const mode = await modeOf(one, other)
      return { mode, keepsStatements: mode === 'session' || (await keepsStatements(one, other)) }
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

async function modeOf(one: pg.Client, other: pg.Client): Promise<Pooling['mode']> {
  const seen = new Map<pg.Client, Set<number>>([one, other].map((client) => [client, new Set()]))
  // In this order, a pooler that gives its sessions by turns does not give each client the same one again.
  for (const client of [one, other, other, one, one, other]) seen.get(client)?.add(await backendOf(client))
  const all = [...seen.values()].flatMap((backends) => [...backends])
  if (all.length === 2 && new Set(all).size === 2) return 'session'
  return (await allowsTransactions(one)) ? 'transaction' : 'statement'
}

async function allowsTransactions(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin')
    await client.query('commit')
    return true
  } catch {
    return false
  }
}

async function keepsStatements(one: pg.Client, other: pg.Client): Promise<boolean> {
  try {
    for (const client of [one, other, other, one])
      await client.query({ name: 'teahouse pooling', text: 'select $1::int as one', values: [1] })
    return true
  } catch (error) {
    // It is there already, is missing, or is a message that the pooler does not pass on.
    if (error instanceof pg.DatabaseError && ['42P05', '26000', '08P01'].includes(error.code ?? '')) return false
    throw error
  }
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function processIdOf(client: pg.Client): number | null {
  return (client as pg.Client & { processID: number | null }).processID
}
