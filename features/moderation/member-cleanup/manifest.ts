import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'member-cleanup',
  auditActions: ['cleaning.begin', 'cleaning.undo'],
} as const satisfies Manifest
