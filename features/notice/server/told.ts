import { sql } from 'kysely'

/** Whether members read a notice of their own now: one of money is for a site that has a balance. It is there again when there is one again. */
export const isTold = sql<boolean>`(facts ->> 'currency' is distinct from 'cny'
  or exists (select from setting where name = 'allowCash' and value = 'true'))`
