import { sql } from 'kysely'
import type { Job } from '#base/server/jobs.ts'

/** Forgets what has run out: tokens, captchas, failed logins after a day, answers to repeated requests after three. */
const forget: Job = {
  name: 'account-forget',
  cron: '7 * * * *',
  async run({ database: { app } }) {
    await app
      .deleteFrom('access_token')
      .where(sql<boolean>`expires_at < now()`)
      .execute()
    await app
      .deleteFrom('refresh_token')
      .where(sql<boolean>`expires_at < now()`)
      .execute()
    await app
      .deleteFrom('captcha')
      .where(sql<boolean>`expires_at < now()`)
      .execute()
    await app
      .deleteFrom('failed_login')
      .where(sql<boolean>`at < now() - interval '1 day'`)
      .execute()
    await app
      .deleteFrom('idempotency_key')
      .where(sql<boolean>`made_at < now() - interval '3 days'`)
      .execute()
  },
}

export const jobs = [forget]
