import { sql } from 'kysely'
import { hintDays } from '#collusion/contract.ts'

/** From when on payments and likes count. */
export const since = sql<Date>`(now() - ${hintDays} * interval '1 day')`
export const firstDay = sql`(${since} at time zone 'UTC')::date`
