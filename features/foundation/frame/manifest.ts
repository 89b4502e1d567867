import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'frame',
  staffRights: { site: ['frame.manage'] },
  auditActions: ['section.add', 'section.edit', 'section.remove', 'slot.edit'],
  auditSubjects: {
    section: () => '/admin/section',
    slot: () => '/admin/slot',
  },
} as const satisfies Manifest
