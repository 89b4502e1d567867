import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember } from '#base/server/moments.ts'

export { attachToThread, detach, moveToComment } from '#red-envelope/server/carry.ts'
export { give, isRequested } from '#red-envelope/server/give.ts'
export { endWithMessages, endWithMessagesBy, openOrEnd, refundedSince } from '#red-envelope/server/presence.ts'
export { resealAll } from '#red-envelope/server/seal.ts'
export { envelopeOfMessage } from '#red-envelope/server/place.ts'

/** Erases the greetings on a member's envelopes. */
export async function memberErased(tx: Db, { memberId }: ErasedMember): Promise<void> {
  await tx.updateTable('red_envelope').set({ greeting: '' }).where('giver_id', '=', memberId).execute()
}
