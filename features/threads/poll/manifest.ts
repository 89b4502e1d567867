import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'poll',
  staffRights: { content: ['poll.stop'] },
  auditActions: ['poll.end', 'poll.remove'],
} as const satisfies Manifest
