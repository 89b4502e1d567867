import { z } from 'zod'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { applyUnlogged } from '#content/server/actions.ts'
import * as posts from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import { RequestOutdated } from '#wallet/contract.ts'
import { moveByHand, type ManualMove } from '#wallet/server/wallet.ts'

const Adoption = z.object({ commentId: z.string(), isBest: z.boolean(), reason: z.string() })
type Adoption = z.infer<typeof Adoption>

/** Staff's change of the accepted answer; a bounty that moves with it may need approval. */
export async function adopt(tx: Db, by: Staff, client: ClientInfo, input: Adoption): Promise<{ isWaiting: boolean }> {
  const { isWaiting } = await moveByHand(tx, by, client, adoption, { input, reason: input.reason })
  return { isWaiting }
}

/** The actor of the adoption is the approver, since its rules are checked again on approval. */
export const adoption: ManualMove<Adoption> = {
  kind: 'adoption',
  input: Adoption,
  async check(tx, by, { commentId, isBest, reason }) {
    const post = await posts.lockPost(tx, 'comment', commentId)
    const { points, cents } = await question.bountyAtStake(tx, by, post, { isBest, reason })
    return { points, cents, topicId: post.thread.id, detail: { answer: { commentId, isBest } } }
  },
  async execute(tx, by, { commentId, isBest, reason }) {
    const name = isBest ? 'comment.adopt' : 'comment.unadopt'
    const change = await applyUnlogged(tx, by, name, commentId, { reason })
    if (!change) return RequestOutdated()
    return { transactionIds: [], note: { action: name, about: `comment ${commentId}`, ...change } }
  },
}
