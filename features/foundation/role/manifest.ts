import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'role',
  staffRights: { members: ['role.manage'] },
  auditActions: ['role.add', 'role.edit', 'role.default', 'role.remove'],
  auditSubjects: {
    role: () => '/admin/role',
  },
} as const satisfies Manifest
