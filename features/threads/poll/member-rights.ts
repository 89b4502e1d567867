import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  perTag: {
    'poll.add': { byDefault: true },
    'poll.vote': { byDefault: true },
  },
  bannable: {
    poll: { isPublic: true },
  },
} as const satisfies MemberRights
