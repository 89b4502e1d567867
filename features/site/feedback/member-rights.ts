import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  bannable: {
    feedback: { isPublic: false },
  },
} as const satisfies MemberRights
