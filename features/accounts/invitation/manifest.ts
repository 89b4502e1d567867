import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'invitation',
  staffRights: { members: ['invitation.manage'] },
  auditActions: ['invitation.add', 'invitation.revoke'],
} as const satisfies Manifest
