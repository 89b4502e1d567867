import { sql } from 'kysely'
import { transact } from '#base/server/database.ts'
import type { Job } from '#base/server/jobs.ts'

export const jobs: Job[] = [
  {
    name: 'forget-password-tries',
    cron: '17 3 * * *',
    run: ({ database }) => transact(database, async (tx) => void (await sql`select hidden.forget_tries()`.execute(tx))),
  },
]
