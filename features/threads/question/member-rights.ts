import type { MemberRights } from '#base/member-rights.ts'

export const memberRights = {
  perTag: {
    'question.ask': { byDefault: true },
    'question.edit': { byDefault: true },
    'question.remove': { byDefault: true },
    'question.unreviewed': { byDefault: false, kind: 'moderation' },
    'answer.post': { byDefault: true },
    'answer.edit': { byDefault: true },
    'answer.remove': { byDefault: true },
    'answer.unreviewed': { byDefault: false, kind: 'moderation' },
    'answerReply.post': { byDefault: true },
    'answerReply.edit': { byDefault: true },
    'answerReply.remove': { byDefault: true },
    'answerReply.unreviewed': { byDefault: false, kind: 'moderation' },
  },
} as const satisfies MemberRights
