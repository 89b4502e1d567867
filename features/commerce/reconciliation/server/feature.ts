import type { Feature } from '#base/server/feature.ts'
import { bookChecks } from '#reconciliation/server/book-checks.ts'
import { jobs } from '#reconciliation/server/jobs.ts'
import { routes } from '#reconciliation/server/routes.ts'

export const feature: Feature = { name: 'reconciliation', routes, jobs, bookChecks }
