import type { Feature } from '#base/server/feature.ts'
import { bufferedWriters } from '#sensitive-word/server/jobs.ts'
import { routes } from '#sensitive-word/server/routes.ts'

export const feature: Feature = {
  name: 'sensitive-word',
  routes,
  bufferedWriters,
  auditSubjects: { sensitiveList: { table: 'sensitive_list', zh: 'name', en: 'name' } },
}
