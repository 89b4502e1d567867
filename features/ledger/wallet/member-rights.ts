import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  bannable: {
    money: { isPublic: false },
  },
} as const satisfies MemberRights
