import type { Feature } from '#base/server/feature.ts'
import { routes } from '#content/server/routes.ts'
import { bulkTargets } from '#content/server/bulk-actions.ts'
import { editChanges } from '#content/server/log-edits.ts'
import { adoption } from '#content/server/adoption.ts'

export const feature: Feature = {
  name: 'content',
  routes,
  auditEdits: editChanges,
  bulkTargets,
  moneyRequests: [adoption],
}
