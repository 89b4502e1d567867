import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#notice/server/jobs.ts'
import { routes, streams } from '#notice/server/routes.ts'
import { composeReminders } from '#notice/server/compose.ts'

export const feature: Feature = {
  name: 'notice',
  routes,
  streams,
  jobs,
  composers: { reminders: composeReminders },
}
