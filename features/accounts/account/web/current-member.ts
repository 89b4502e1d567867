import type { z } from 'zod'
import { createStore } from '#base/web/store.ts'
import type { SystemUserView } from '#setting/contract.ts'

export type Me = z.infer<typeof SystemUserView>

/** The member who is logged in. Undefined until base info has loaded; null for a visitor. */
export const member = createStore<Me | null | undefined>(undefined)

/** The member whose session ended while they had an unsent draft. */
export const endedMember = createStore<Me | null>(null)

/** Resolves when it is known whether anybody is logged in. */
export async function memberLoaded(): Promise<void> {
  if (member.get() !== undefined) return
  await new Promise<void>((known) => {
    const stop = member.watch(() => {
      stop()
      known()
    })
  })
}

/** Runs a callback whenever a member logs out: their data must not reach the next one. */
export function onMemberLogout(action: () => void): void {
  let before = member.get()?.userId
  member.watch(() => {
    const now = member.get()?.userId
    const hasLeft = before !== undefined && before !== now
    before = now
    if (hasLeft) action()
  })
}
