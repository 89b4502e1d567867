import { sql, type RawBuilder } from 'kysely'

/** A statement, the bounds of its day, and whether its provider's statements list disputes. */
export type Statement = { id: string; name: string; from: Date; until: Date; listsDisputes: boolean }

/** Checks the provider per matching line, of which there are few; a provider has many lines. */
export function isOfProvider(provider: string): RawBuilder<unknown> {
  return sql`(select provider from payment_statement as its_own where its_own.id = line.statement_id) = ${provider}`
}

/** Two days may search for the same payment; the first that finds a difference reports it. */
export function isReportedElsewhere(statementId: string, provider: string, kind: string, number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (
    select from payment_difference as other join payment_statement as elsewhere on elsewhere.id = other.statement_id
    where other.kind = ${kind} and other.number = ${number} and other.statement_id <> ${statementId} and elsewhere.provider = ${provider})`
}
