import { sql } from 'kysely'
import type { Job } from '#base/server/jobs/jobs.ts'

/** Deletes abandoned logins, and expired tickets. */
const purge: Job = {
  name: 'identity-forget',
  cron: '17 * * * *',
  async run({ database: { app } }) {
    for (const table of ['identity_request', 'identity_ticket'] as const)
      await app
        .deleteFrom(table)
        .where(sql<boolean>`expires_at < now()`)
        .execute()
  },
}

export const jobs = [purge]
