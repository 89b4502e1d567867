import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  everywhere: {
    'picture.upload': { byDefault: true },
    'attachment.upload': { byDefault: true },
  },
  bannable: {
    upload: { isPublic: true },
  },
} as const satisfies MemberRights
