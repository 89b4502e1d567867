import { sql } from 'kysely'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as setting from '#setting/server/setting.ts'

const expiringTables = [
  'access_token',
  'refresh_token',
  'challenge',
  'recovery_ticket',
  'register_ticket',
  'contact_proof',
  'login_ticket',
  'trusted_device',
  'passkey_challenge',
] as const

/** The lifetime of a browser's cookie. */
const browserDays = 365

/** Deletes expired tokens, captchas and codes, idempotency keys after three days, and login entries after the configured time. */
const purge: Job = {
  name: 'account-forget',
  cron: '7 * * * *',
  async run({ database: { app } }) {
    for (const table of expiringTables)
      await app
        .deleteFrom(table)
        .where(sql<boolean>`expires_at < now()`)
        .execute()
    // The link of a change undoes changes up to a week older, so they stay for two weeks.
    await app
      .deleteFrom('take_back')
      .where(sql<boolean>`expires_at < now() - interval '7 days'`)
      .execute()
    await app
      .deleteFrom('session_proof')
      .where(sql<boolean>`proved_at < now() - interval '1 day'`)
      .execute()
    const { failedLoginDays, loginLogDays } = await setting.all(app)
    await deleteOlderThan(app, 'attempt', 'at', failedLoginDays)
    await deleteOlderThan(app, 'login_log', 'at', loginLogDays)
    await deleteOlderThan(app, 'known_browser', 'at', browserDays)
    await app.deleteFrom('rate_limit').where('expire', '<', String(Date.now())).execute()
    await app
      .deleteFrom('idempotency_key')
      .where(sql<boolean>`made_at < now() - interval '3 days'`)
      .execute()
  },
}

export const jobs = [purge]
