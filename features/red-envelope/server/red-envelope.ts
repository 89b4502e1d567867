import type { Db } from '#base/server/database/database.ts'

export { give, isGiven } from '#red-envelope/server/give.ts'
export { inWords } from '#red-envelope/server/in-words.ts'
export { endWithMessages, endWithMessagesBy, openOrEnd, wentBackSince } from '#red-envelope/server/presence.ts'
export { besideComment, besideMessage } from '#red-envelope/server/place.ts'

/** What a member wrote on envelopes goes with them. */
export async function memberErased(tx: Db, { memberId }: { memberId: string }): Promise<void> {
  await tx.updateTable('red_envelope').set({ greeting: '' }).where('giver_id', '=', memberId).execute()
}
