import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'link',
  staffRights: { site: ['link.manage'] },
  auditActions: ['link.add', 'link.edit', 'link.remove'],
  auditSubjects: {
    link: () => '/admin/link',
  },
} as const satisfies Manifest
