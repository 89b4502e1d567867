import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'post.like': { byDefault: true },
  },
} as const satisfies MemberRights
