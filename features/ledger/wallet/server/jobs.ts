import { transact } from '#base/server/database/database.ts'
import { collect, featuresOf } from '#base/server/feature.ts'
import type { Job, JobContext } from '#base/server/jobs/jobs.ts'
import { continueRound, checkLedger } from '#wallet/server/check-ledger.ts'
import { closeEnded } from '#wallet/server/closing.ts'
import { settleRewards } from '#wallet/server/reward.ts'

// Both fit into a minute; the rest continues in the next one.
const longestMs = { new: 40_000, round: 10_000 }

export const jobs: readonly Job[] = [
  { name: 'books-check', cron: '* * * * *', run: checkBooks },
  { name: 'close-accounts', cron: '* * * * *', run: ({ database }) => closeEnded(database) },
]

async function checkBooks({ database, log }: JobContext): Promise<void> {
  const checks = collect(featuresOf(database.app), 'bookChecks')
  const breaches = [
    ...(await checkLedger(database, checks, { isFull: false, longestMs: longestMs.new })),
    ...(await continueRound(database, checks, { longestMs: longestMs.round })),
  ]
  if (breaches.length > 0) log.error({ breaches }, 'The books are not right. Nothing is written to them until staff thaw them.')
  while (await transact(database, settleRewards));
}
