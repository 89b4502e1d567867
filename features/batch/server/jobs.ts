import type { Job } from '#base/server/jobs/jobs.ts'
import { resume, resumeJob } from '#batch/server/resume.ts'
import type { AllThings } from '#batch/server/things.ts'

/** Does what large batches have left, soon after they begin, and after whatever stopped them. */
export function jobsFor(all: AllThings): Job[] {
  return [
    {
      ...resumeJob,
      cron: '* * * * *',
      longestHours: 6,
      async run({ database }) {
        await resume(database, all)
      },
    },
  ]
}
