import type { z } from 'zod'
import { storeOf } from '#base/web/store.ts'
import type { SystemUserView } from '#setting/contract.ts'

export type Me = z.infer<typeof SystemUserView>

/** Who is logged in here. Undefined until base info has said so; null for a visitor. */
export const member = storeOf<Me | null | undefined>(undefined)

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
