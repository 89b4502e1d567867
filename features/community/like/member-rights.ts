import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'post.like': { byDefault: true },
  },
  bannable: {
    like: { isPublic: false },
  },
} as const satisfies MemberRights
