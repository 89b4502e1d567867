import { transact } from '#base/server/database.ts'
import type { Job, JobGround } from '#base/server/jobs.ts'
import { look, type Check } from '#wallet/server/books.ts'
import { closeEnded } from '#wallet/server/closing.ts'
import { settle } from '#wallet/server/reward.ts'

export function jobsFor(checks: readonly Check[]): Job[] {
  return [
    { name: 'books-check', cron: '* * * * *', run: (ground) => check(ground, checks, false) },
    { name: 'close-accounts', cron: '* * * * *', run: ({ database }) => closeEnded(database) },
    { name: 'books-check-all', cron: '47 19 * * *', longestHours: 2, run: (ground) => check(ground, checks, true) },
  ]
}

async function check({ database, log }: JobGround, checks: readonly Check[], isFull: boolean): Promise<void> {
  const breaches = await look(database, checks, { isFull })
  if (breaches.length > 0) log.error({ breaches }, 'The books are not right. Nothing is written to them until staff thaw them.')
  while (await transact(database, settle));
}
