import { sql } from 'kysely'

/** Whether members see a system notification now: those of money are hidden while the site has no balance. */
export const isVisible = sql<boolean>`(facts ->> 'currency' is distinct from 'cny'
  or exists (select from setting where name = 'allowCash' and value = 'true'))`
