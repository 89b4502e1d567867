import type { MemberRights } from '#base/member-rights.ts'

/** The locks with which members may hide parts of a topic, and the right to see all parts. */
export const memberRights = {
  perTag: {
    'topic.seeHidden': { byDefault: false, kind: 'moderation' },
  },
  everywhere: {
    'hidden.password': { byDefault: true },
    'hidden.comment': { byDefault: true },
    'hidden.level': { byDefault: true },
    'hidden.points': { byDefault: true },
    'hidden.balance': { byDefault: true },
  },
} as const satisfies MemberRights
