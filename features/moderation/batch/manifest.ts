import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'batch',
  auditActions: ['batch.begin', 'batch.undo'],
  auditSubjects: {
    batch: () => '/admin/batch',
  },
} as const satisfies Manifest
