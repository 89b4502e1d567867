import { sql, type RawBuilder } from 'kysely'
import type { Range } from '#statistic/contract.ts'

/** Of what is counted by days, those of a range. */
export function within({ first, last }: Range): RawBuilder<boolean> {
  return sql<boolean>`day between ${first}::date and ${last}::date`
}
