import type { Feature } from '#base/server/feature.ts'
import { bookChecks } from '#red-envelope/server/book-checks.ts'
import { jobs, payments } from '#red-envelope/server/jobs.ts'
import { streams } from '#red-envelope/server/news.ts'
import { routes } from '#red-envelope/server/routes.ts'

export const feature: Feature = {
  name: 'red-envelope',
  routes,
  streams,
  jobs,
  bookChecks,
  promptWriters: [payments],
}
