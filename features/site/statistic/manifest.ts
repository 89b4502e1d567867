import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'statistic',
  staffRights: { house: ['statistic.view'] },
  auditActions: ['pageView.export'],
} as const satisfies Manifest
