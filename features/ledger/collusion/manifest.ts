import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'collusion',
  auditActions: ['collusion.dismiss'],
  auditSubjects: {
    collusion: () => '/admin/collusion',
  },
} as const satisfies Manifest
