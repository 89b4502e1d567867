import { sql } from 'kysely'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { mailAll } from '#notice/server/mailing.ts'
import { inboxesTag } from '#notice/server/remind.ts'
import { pushAll } from '#notice/server/pushing.ts'
import { notifyOfEndingRoles } from '#notice/server/roles-ending.ts'
import { notifyOfSignIns } from '#notice/server/sign-ins.ts'

/** Announces scheduled announcements that are due to open streams. */
const announce: Job = {
  name: 'notice-announce',
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
  name: 'notice-sign-ins',
  cron: '* * * * *',
  async run({ database }) {
    await transact(database, notifyOfSignIns)
  },
}

const endingRoles: Job = {
  name: 'notice-ending-roles',
  cron: '* * * * *',
  async run({ database }) {
    while (await transact(database, notifyOfEndingRoles)) continue
  },
}

const mail: Job = {
  name: 'notice-mail',
  cron: '* * * * *',
  run: ({ database }) => mailAll(database),
}

const push: Job = {
  name: 'notice-push',
  cron: '* * * * *',
  run: ({ database }) => pushAll(database),
}

/** The lifetime of an unsubscribe link. */
const unsubscribeDays = 400

const purge: Job = {
  name: 'notice-forget',
  cron: '17 3 * * *',
  async run({ database: { app } }) {
    await deleteOlderThan(app, 'reminder_stop', 'made_at', unsubscribeDays)
  },
}

export const jobs = [announce, signIns, endingRoles, mail, push, purge]
