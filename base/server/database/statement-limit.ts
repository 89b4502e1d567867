/**
 * The address of a database with how long one statement may take there: so many milliseconds, or null for as long as it takes. It stands above what the
 * address, the role or the database says.
 */
export function limitStatements(address: string, longestMs: number | null): string {
  const url = new URL(address)
  url.searchParams.set('statement_timeout', String(longestMs ?? 0))
  // The driver has a limit of its own, which an address may name too.
  url.searchParams.delete('query_timeout')
  // Long work may think between two statements.
  if (longestMs === null) url.searchParams.set('idle_in_transaction_session_timeout', '0')
  return url.href
}
