import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'reconciliation',
  auditSubjects: {
    paymentDifference: () => '/admin/payment/difference',
  },
} as const satisfies Manifest
