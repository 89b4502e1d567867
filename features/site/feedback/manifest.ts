import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'feedback',
  staffRights: { site: ['feedback.handle'] },
  auditActions: ['feedback.handle', 'feedback.open', 'feedback.remove', 'feedback.restore', 'feedback.export'],
  auditSubjects: {
    feedback: () => '/admin/feedback',
  },
} as const satisfies Manifest
