import { sql } from 'kysely'

/** When what the statement has `added` was published. */
export const addedAt = sql<Date>`(select published_at from added)`
