import type { Engine } from '#search/server/engine.ts'
import { find, findWithFallbacks } from '#search/server/postgres/find.ts'
import { recount, sharesOf } from '#search/server/postgres/shares.ts'
import { removeTopics, sweep, write } from '#search/server/postgres/write.ts'

/** The engine within the forum's own database. */
export const postgresEngine: Engine = { name: 'postgres', find, findWithFallbacks, shares: sharesOf, write, removeTopics, sweep, recount }
