import type { RemarkKind } from '#kind/contract.ts'

/** The differences between comments and replies: their keys in answers and catalogues. */
export const remarks = {
  comment: {
    /** The key in the response of `/comment/mine`. */
    all: 'comments',
    /** A removed one keeps its place. */
    leavesPlace: true,
    words: { removeQuestion: 'removeQuestion', none: 'noComments' },
  },
  reply: {
    all: 'replies',
    leavesPlace: false,
    words: { removeQuestion: 'removeReplyQuestion', none: 'noReplies' },
  },
} as const satisfies Record<RemarkKind, object>
