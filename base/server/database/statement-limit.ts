/** Settings of a session, by PostgreSQL's name. */
export type Limits = Record<string, string>

/** Statement timeouts of the program's two roles, except for long-running work. The roles have them too, for a pooler's sessions. */
export const statementTimeoutsMs = { app: 15_000, reader: 5_000 }

const ownParameters = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout']

// A server that hangs within a transaction keeps its connection, and the rows that it locked: all writers of a thread would wait for ever.
const maxIdleMs = 30_000

/**
 * A connection with a statement timeout in milliseconds, or null for none, and with an end to transactions whose program
 * does nothing. It overrides the address, the role and the database, and is set once connected.
 */
export function limitStatements(connectionString: string, statementTimeoutMs: number | null): { connectionString: string; limits: Limits } {
  const { searchParams } = new URL(connectionString)
  const limits: Limits = { statement_timeout: String(statementTimeoutMs ?? 0), idle_in_transaction_session_timeout: String(maxIdleMs) }
  for (const name of ['lock_timeout', 'idle_in_transaction_session_timeout']) {
    const value = searchParams.get(name)
    if (value !== null) limits[name] = value
  }
  // Long work may pause between two statements.
  if (statementTimeoutMs === null) limits['idle_in_transaction_session_timeout'] = '0'
  return { connectionString, limits }
}

/** The address as the driver takes it: with one host, and without what the program does itself. */
export function driverAddress(address: string): string {
  const url = new URL(address)
  for (const name of [...ownParameters, 'target_session_attrs', 'connect_timeout']) url.searchParams.delete(name)
  for (const name of ['host', 'port']) {
    const [first, ...others] = url.searchParams.get(name)?.split(',') ?? []
    if (first !== undefined && others.length > 0) url.searchParams.set(name, first)
  }
  return url.href
}
