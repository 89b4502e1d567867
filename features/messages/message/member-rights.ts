import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'message.send': { byDefault: true },
  },
} as const satisfies MemberRights
