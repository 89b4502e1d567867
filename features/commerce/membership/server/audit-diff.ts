import { serializeAmount } from '#wallet/contract.ts'

type Row = Readonly<Record<string, unknown>>

const amounts: Readonly<Record<string, string>> = { cents: 'cny', list_cents: 'listPrice', min_cents: 'minPrice' }

/** A row as in the audit log: money in yuan. */
export function auditRow(row: Row): Record<string, unknown> {
  const yuan = (cents: unknown) => (typeof cents === 'string' ? serializeAmount('cny', BigInt(cents)) : cents)
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => (Object.hasOwn(amounts, name) ? [amounts[name], yuan(value)] : [name, value])),
  )
}

/** The changed columns of a row, before and after, as in the audit log. */
export function auditDiff<Of extends Row>(before: Of, after: Partial<Record<keyof Of, unknown>>) {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pickChanged = (of: Row) => auditRow(Object.fromEntries(changed.map((name) => [name, of[name]])))
  return { before: pickChanged(before), after: pickChanged(after) }
}
