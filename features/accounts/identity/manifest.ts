import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'identity',
  staffRights: { site: ['identity.manage'] },
  auditActions: ['identityProvider.add', 'identityProvider.edit', 'identityProvider.remove'],
} as const satisfies Manifest
