import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'review',
  auditActions: ['review.approve', 'review.reject', 'review.edit', 'review.remove', 'review.undo'],
} as const satisfies Manifest
