import type { Db } from '#base/server/database/database.ts'
import { find } from '#bounty/server/lock.ts'

export { atStake, cancel, moveTo, payAdopted } from '#bounty/server/adopt.ts'
export { endOver } from '#bounty/server/due.ts'
export type { Part } from '#bounty/server/escrow.ts'
export { isOffered, offer } from '#bounty/server/offer.ts'
export { appeared, disappeared, end, given, wentBackSince } from '#bounty/server/presence.ts'
export { offersOf, viewOf } from '#bounty/server/view.ts'

/** Whether the bounty was paid, so that only staff change the accepted answer. */
export async function isPaid(db: Db, questionId: string): Promise<boolean> {
  return (await find(db, questionId))?.state === 'paid'
}
