import type { z } from 'zod'
import { storeOf } from '#base/web/store.ts'
import type { SystemUserView } from '#setting/contract.ts'

export type Me = z.infer<typeof SystemUserView>

/** Who is logged in here. Undefined until base info has said so; null for a visitor. */
export const member = storeOf<Me | null | undefined>(undefined)

/** Whose session has ended while something of theirs was being written. */
export const ended = storeOf<Me | null>(null)

/** Comes when it is known whether anybody is logged in here. */
export async function memberKnown(): Promise<void> {
  if (member.get() !== undefined) return
  await new Promise<void>((known) => {
    const stop = member.watch(() => {
      stop()
      known()
    })
  })
}

/** Does something whenever a member who was here is here no more: what is kept for one is not for the next. */
export function whenMemberLeaves(deed: () => void): void {
  let before = member.get()?.userId
  member.watch(() => {
    const now = member.get()?.userId
    const hasLeft = before !== undefined && before !== now
    before = now
    if (hasLeft) deed()
  })
}
