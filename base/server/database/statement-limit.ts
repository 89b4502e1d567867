// A server that hangs within a transaction keeps its connection, and the rows that it locked: all writers of a thread would wait for ever.
const maxIdleMs = 30_000

/**
 * The address of a database with a statement timeout in milliseconds, or null for none, and with an end to transactions whose
 * program does nothing. It overrides the address, the role and the database.
 */
export function limitStatements(address: string, statementTimeoutMs: number | null): string {
  const url = new URL(address)
  url.searchParams.set('statement_timeout', String(statementTimeoutMs ?? 0))
  // The driver has a timeout of its own, which an address may set too.
  url.searchParams.delete('query_timeout')
  // Long work may pause between two statements.
  url.searchParams.set('idle_in_transaction_session_timeout', String(statementTimeoutMs === null ? 0 : maxIdleMs))
  return url.href
}
