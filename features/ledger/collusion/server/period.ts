import { sql } from 'kysely'
import { hintDays } from '#collusion/contract.ts'

/** The start of the period in which payments and likes count. */
export const since = sql<Date>`(now() - ${hintDays} * interval '1 day')`
export const firstDay = sql`(${since} at time zone 'UTC')::date`
