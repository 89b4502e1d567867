import { sql } from 'kysely'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { mailAll } from '#notification/server/mailing.ts'
import { inboxesTag } from '#notification/server/notify.ts'
import { pushAll } from '#notification/server/pushing.ts'
import { notifyOfEndingRoles } from '#notification/server/roles-ending.ts'
import { notifyOfSignIns } from '#notification/server/sign-ins.ts'

/** Announces scheduled announcements that are due to open streams. */
const announce: Job = {
  name: 'notification-announce',
  cron: '* * * * *',
  async run({ database }) {
    const { rows } = await sql`
      select from notice where member_id is null and removed_at is null and sends_at between now() - interval '90 seconds' and now() limit 1`.execute(
      database.primaryReader,
    )
    if (rows.length > 0) await transact(database, async (tx) => invalidate(tx, inboxesTag))
  },
}

const signIns: Job = {
  name: 'notification-sign-ins',
  cron: '* * * * *',
  async run({ database }) {
    await transact(database, notifyOfSignIns)
  },
}

const endingRoles: Job = {
  name: 'notification-ending-roles',
  cron: '* * * * *',
  async run({ database }) {
    while (await transact(database, notifyOfEndingRoles)) continue
  },
}

const mail: Job = {
  name: 'notification-mail',
  cron: '* * * * *',
  run: ({ database }) => mailAll(database),
}

const push: Job = {
  name: 'notification-push',
  cron: '* * * * *',
  run: ({ database }) => pushAll(database),
}

/** The lifetime of an unsubscribe link. */
const unsubscribeDays = 400

const purge: Job = {
  name: 'notification-forget',
  cron: '17 3 * * *',
  async run({ database: { app } }) {
    await deleteOlderThan(app, 'unsubscribe_token', 'made_at', unsubscribeDays)
  },
}

export const jobs = [announce, signIns, endingRoles, mail, push, purge]
