import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  perTag: {
    'tag.view': { byDefault: true, kind: 'visibility' },
  },
} as const satisfies MemberRights
