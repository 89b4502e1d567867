import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'assistant.use': { byDefault: true },
  },
} as const satisfies MemberRights
