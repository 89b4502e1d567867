/**
 * The address of a database with a statement timeout in milliseconds, or null for none. It overrides the address, the role and the
 * database.
 */
export function limitStatements(address: string, statementTimeoutMs: number | null): string {
  const url = new URL(address)
  url.searchParams.set('statement_timeout', String(statementTimeoutMs ?? 0))
  // The driver has a timeout of its own, which an address may set too.
  url.searchParams.delete('query_timeout')
  // Long work may pause between two statements.
  if (statementTimeoutMs === null) url.searchParams.set('idle_in_transaction_session_timeout', '0')
  return url.href
}
