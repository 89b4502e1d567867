import type { Job } from '#base/server/jobs/jobs.ts'
import { resume, resumeJob } from '#batch/server/resume.ts'

/** Does what large batches have left, soon after they begin, and after whatever stopped them. */
export const jobs: readonly Job[] = [{ ...resumeJob, cron: '* * * * *', maxHours: 6, run: ({ database }) => resume(database) }]
