import type { Db } from '#base/server/database/database.ts'
import { findBounty } from '#bounty/server/lock.ts'

export { atStake, revokePayout, movePayout, payAdopted } from '#bounty/server/adopt.ts'
export { endIfOver } from '#bounty/server/due.ts'
export type { Payout } from '#bounty/server/escrow.ts'
export { isOffered, offer } from '#bounty/server/offer.ts'
export { onPublished, onUnpublished, end, onTransferred, refundedSince } from '#bounty/server/presence.ts'
export { offersOf, viewOf } from '#bounty/server/view.ts'

/** Whether the bounty was paid, so that only staff change the accepted answer. */
export async function isPaid(db: Db, questionId: string): Promise<boolean> {
  return (await findBounty(db, questionId))?.state === 'paid'
}
