import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'red-envelope',
  staffRights: { wallet: ['redEnvelope.view', 'redEnvelope.stop'] },
  auditActions: ['redEnvelope.stop', 'redEnvelope.export', 'redEnvelope.figuresExport'],
  auditSubjects: {
    redEnvelope: (id) => `/admin/redEnvelope/view?envelopeId=${id}`,
  },
} as const satisfies Manifest
