import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'message.send': { byDefault: true },
  },
  bannable: {
    message: { isPublic: true },
  },
} as const satisfies MemberRights
