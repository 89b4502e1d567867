import type { MemberRights } from '#base/member-rights.ts'

/** Inviting is for registration by invitation; otherwise it shows who came by whom. */
export const memberRights = {
  everywhere: {
    invite: { byDefault: false },
  },
} as const satisfies MemberRights
