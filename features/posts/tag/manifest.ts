import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'tag',
  staffRights: { content: ['tag.manage'] },
  auditActions: ['tag.add', 'tag.edit', 'tag.sort', 'tag.remove'],
  auditSubjects: {
    tag: () => '/admin/tag',
  },
} as const satisfies Manifest
