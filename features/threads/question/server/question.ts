import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as posts from '#post/server/post.ts'
import { AskersDay, OwnAnswer } from '#question/contract.ts'
import { adoptionOf, mayChangeAdoption } from '#question/server/adopt.ts'
import { OwnCase } from '#staff/contract.ts'
import { toMinor } from '#wallet/contract.ts'

export { postscriptsForStaff, bodyWithPostscripts } from '#question/server/postscript.ts'
export { removePostscript, restorePostscript } from '#question/server/remove-postscript.ts'

type AdoptionChange = { isBest: boolean; reason: string }

/**
 * Accepts an answer for staff, or ends that, once the asker's day is over. An open bounty goes to the answer; a paid one is moved,
 * or taken back and offered again.
 */
export async function adoptAsStaff(tx: Db, by: Staff, post: posts.Post, { isBest, reason }: AdoptionChange): Promise<void> {
  if (!(await changesAdoption(tx, by, post, isBest))) return
  const { id, authorId, thread } = post
  if (!isBest) {
    await posts.unadopt(tx, thread)
    return bounty.revokePayout(tx, by, thread, reason)
  }
  await posts.adopt(tx, thread, { id, authorId }, { staffId: by.staff.id })
  await bounty.movePayout(tx, by, thread, { id, authorId }, reason)
}

/** The amounts of a bounty that move with the adoption. */
export async function bountyAtStake(tx: Db, by: Staff, post: posts.Post, change: AdoptionChange): ReturnType<typeof bounty.atStake> {
  const changes = await changesAdoption(tx, by, post, change.isBest)
  return changes ? bounty.atStake(tx, by, post.thread.id, change) : { points: toMinor(0), cents: toMinor(0) }
}

async function changesAdoption(tx: Db, by: Staff, { id, authorId, status, thread }: posts.Post, isBest: boolean): Promise<boolean> {
  if (thread.kind !== 'question' || thread.status !== 'published' || (isBest && thread.isWithdrawn)) throw Missing()
  if (thread.authorId === by.id) throw OwnCase()
  const before = await adoptionOf(tx, thread.id)
  if (isBest === (before?.comment_id === id)) return false
  if (before && mayChangeAdoption(before) && !(await bounty.isPaid(tx, thread.id))) throw AskersDay()
  if (isBest && status !== 'published') throw Missing()
  if (isBest && authorId === thread.authorId) throw OwnAnswer()
  if (isBest && authorId === by.id) throw OwnCase()
  return true
}
