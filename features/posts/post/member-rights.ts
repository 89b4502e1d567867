import type { MemberRights } from '#base/member-rights.ts'

/** Rights over other members’ posts. */
export const memberRights = {
  perTag: {
    'content.edit.any': { byDefault: false, kind: 'moderation' },
    'content.remove.any': { byDefault: false, kind: 'moderation' },
  },
} as const satisfies MemberRights
