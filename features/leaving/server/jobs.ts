import type { Job } from '#base/server/jobs.ts'
import { eraseDue } from '#leaving/server/erase.ts'

/** Erases the accounts of those who asked for it and did not stay. */
const erase: Job = { name: 'leaving-erase', cron: '*/10 * * * *', longestHours: 2, run: ({ database }) => eraseDue(database) }

export const jobs = [erase]
