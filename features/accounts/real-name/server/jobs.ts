import type { Job } from '#base/server/jobs/jobs.ts'
import { storedIdentityOf, remove } from '#real-name/server/real-name.ts'

/** Deletes the birthdays of minors who withdrew, once they are of age. */
const purge: Job = {
  name: 'real-name-forget',
  cron: '23 4 * * *',
  async run({ database: { app } }) {
    const rows = await app.selectFrom('real_name').select('member_id').where('withdrawn_at', 'is not', null).execute()
    for (const { member_id: memberId } of rows) {
      const who = await storedIdentityOf(app, memberId)
      if (who && who.name === null && !who.isMinor) await remove(app, memberId)
    }
  },
}

export const jobs = [purge]
