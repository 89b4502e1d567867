import { sql, type RawBuilder } from 'kysely'
import type { Range } from '#statistic/contract.ts'

/** The condition that a daily row is within a range. */
export function within({ first, last }: Range): RawBuilder<boolean> {
  return sql<boolean>`day between ${first}::date and ${last}::date`
}
