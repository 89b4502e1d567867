import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  bannable: {
    report: { isPublic: false },
    appeal: { isPublic: false },
  },
} as const satisfies MemberRights
