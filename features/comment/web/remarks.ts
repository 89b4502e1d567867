import type { RemarkKind } from '#kind/contract.ts'

/** What differs between the kinds of what stands under an opening: how its id is called, where its calls go, and its words. */
export const remarks = {
  comment: {
    named: (id: string) => ({ commentId: id }),
    calls: { source: '/comment/source', history: '/comment/history', remove: '/comment/remove' },
    /** What is told of all of them. */
    all: 'comments',
    isPlain: false,
    /** Its place stays when it goes. */
    leavesPlace: true,
    words: { removeQuestion: 'removeQuestion', none: 'noComments' },
  },
  reply: {
    named: (id: string) => ({ replyId: id }),
    calls: { source: '/comment/replySource', history: '/comment/replyHistory', remove: '/comment/removeReply' },
    all: 'replies',
    isPlain: true,
    leavesPlace: false,
    words: { removeQuestion: 'removeReplyQuestion', none: 'noReplies' },
  },
} as const satisfies Record<RemarkKind, object>
