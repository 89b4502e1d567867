import type { CommentView, ReplyView } from '#comment/contract.ts'

export type Branch = { comment: CommentView; under: Branch[] }

/** Nests each comment under the one that it quotes, if that is in the list. */
export function treeOf(comments: readonly CommentView[]): Branch[] {
  const branches = new Map(comments.map((comment) => [comment.id, { comment, under: [] as Branch[] }]))
  const roots: Branch[] = []
  for (const branch of branches.values()) {
    const { quote, floor } = branch.comment
    const parent = quote && quote.floor < floor ? branches.get(quote.commentId) : undefined
    ;(parent?.under ?? roots).push(branch)
  }
  return roots
}

const deepest = 4

/** Orders each reply after the one that it answers, indented. A reply whose answered reply is not loaded keeps its place. */
export function answersUnder(replies: readonly ReplyView[]): { reply: ReplyView; depth: number }[] {
  const ids = new Set(replies.map(({ id }) => id))
  const under = Map.groupBy(replies, ({ answers }) => (answers && ids.has(answers.replyId) ? answers.replyId : null))
  const walk = (id: string | null, depth: number): { reply: ReplyView; depth: number }[] =>
    (under.get(id) ?? []).flatMap((reply) => [{ reply, depth: Math.min(depth, deepest) }, ...walk(reply.id, depth + 1)])
  return walk(null, 0)
}
