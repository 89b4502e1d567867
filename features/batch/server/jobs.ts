import type { Job } from '#base/server/jobs.ts'
import { onward } from '#batch/server/onward.ts'
import { goOn } from '#batch/server/steps.ts'
import type { AllThings } from '#batch/server/things.ts'

/** Does what large batches have left, soon after they begin, and after whatever stopped them. */
export function jobsFor(all: AllThings): Job[] {
  return [
    {
      ...onward,
      cron: '* * * * *',
      longestHours: 6,
      async run({ database }) {
        await goOn(database, all)
      },
    },
  ]
}
