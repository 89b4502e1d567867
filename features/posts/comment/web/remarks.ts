import type { RemarkKind } from '#kind/contract.ts'

/** The differences between comments and replies: the names of ids, calls and catalogue keys. */
export const remarks = {
  comment: {
    idOf: (id: string) => ({ commentId: id }),
    calls: { source: '/comment/source', history: '/comment/history', remove: '/comment/remove' },
    /** The key in the response of `/comment/mine`. */
    all: 'comments',
    isPlain: false,
    /** A removed one keeps its place. */
    leavesPlace: true,
    words: { removeQuestion: 'removeQuestion', none: 'noComments' },
  },
  reply: {
    idOf: (id: string) => ({ replyId: id }),
    calls: { source: '/comment/replySource', history: '/comment/replyHistory', remove: '/comment/removeReply' },
    all: 'replies',
    isPlain: true,
    leavesPlace: false,
    words: { removeQuestion: 'removeReplyQuestion', none: 'noReplies' },
  },
} as const satisfies Record<RemarkKind, object>
