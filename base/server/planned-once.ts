import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

// Enough for every statement of the program; those whose text has no end of variants stay unnamed.
const mostNames = 400
const longestText = 4_000

/** A pool whose connections plan each of the program's statements once, instead of at every call. */
export function plannedOnce(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= mostNames || text.length > longestText) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
      const name = values.length > 0 ? nameOf(text) : undefined
      return client.query({ text, values: [...values], ...(name && { name }) }) as never
    }
    return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect()
    const known = clients.get(client) ?? wrap(client)
    clients.set(client, known)
    return known
  }

  return { connect, end: () => pool.end(), options: pool.options }
}
