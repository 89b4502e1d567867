import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'audit',
  staffRights: { house: ['audit.view'] },
  auditActions: ['audit.export'],
} as const satisfies Manifest
