import type { Manifest } from '#base/manifest.ts'

export const manifest = {
  feature: 'question',
  staffRights: { content: ['question.adopt', 'question.bounty'] },
} as const satisfies Manifest
