import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  perTag: {
    'topic.publish': { byDefault: true },
    'topic.edit': { byDefault: true },
    'topic.remove': { byDefault: true },
    'topic.unreviewed': { byDefault: false, kind: 'moderation' },
  },
  bannable: {
    topic: { isPublic: true },
  },
} as const satisfies MemberRights
