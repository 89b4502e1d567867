import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'assistant.use': { byDefault: true },
  },
  bannable: {
    assistant: { isPublic: false },
  },
} as const satisfies MemberRights
