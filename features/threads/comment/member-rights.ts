import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  perTag: {
    'comment.post': { byDefault: true },
    'comment.edit': { byDefault: true },
    'comment.remove': { byDefault: true },
    'comment.unreviewed': { byDefault: false, kind: 'moderation' },
    'reply.post': { byDefault: true },
    'reply.edit': { byDefault: true },
    'reply.remove': { byDefault: true },
    'reply.unreviewed': { byDefault: false, kind: 'moderation' },
  },
  bannable: {
    comment: { isPublic: true },
    reply: { isPublic: true },
  },
} as const satisfies MemberRights
