import type { Feature } from '#base/server/feature.ts'
import { routes } from '#audit/server/routes.ts'

export const feature: Feature = {
  name: 'audit',
  routes,
  postReferences: {
    'audit_log.before': { erased: { stays: 'The log never changes.' } },
    'audit_log.after': { erased: { stays: 'The log never changes.' } },
  },
}
