import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'avatar.change': { byDefault: true },
    'profile.change': { byDefault: true },
  },
  bannable: {
    profile: { isPublic: true },
  },
} as const satisfies MemberRights
