import type { Output } from '#base/contract.ts'
import { dropDrafts } from '#base/web/editor/draft-place.ts'
import { allSlots } from '#base/web/editor/draft-slots.ts'
import { storeOf } from '#base/web/store.ts'
import type { me as meCall, staffRights } from '#staff/contract.ts'

export type Me = Output<typeof meCall>
export type StaffRight = (typeof staffRights)[number]

/** Who is signed in to the administration; null until that is known. */
export const me = storeOf<Me | null>(null)

/** Whether one may do this. The server decides again; screens only leave out what it would refuse. */
export type Needs = StaffRight | 'self' | /** Any of these. */ readonly StaffRight[]

export function mayDo(needs: Needs): boolean {
  if (needs === 'self') return true
  return [needs].flat().some((right) => me.get()?.rights.includes(right))
}

const draftsOfStaff = 'staff '
const draftsOf = (id: string) => `${draftsOfStaff}${id} `

/** The key of a draft of mine: whoever signs in here next must not find what another was writing. */
export function keyOfMine(draftKey: string): string {
  return draftsOf(me.get()?.id ?? '') + draftKey
}

/** What I have begun whose keys start so, without that start. */
export function begunByMe(start: string): string[] {
  const mine = keyOfMine(start)
  return allSlots().flatMap(({ draftKey }) => (draftKey.startsWith(mine) ? [draftKey.slice(mine.length)] : []))
}

/** Nothing stays on this device of what staff began, but what is of this account; nothing at all when its person has left. */
export function keepDraftsOf(id: string | null): void {
  dropDrafts((draftKey) => draftKey.startsWith(draftsOfStaff) && (id === null || !draftKey.startsWith(draftsOf(id))))
}

type PromptRequest = { what: 'signIn' | 'prove'; answer: (isShown: boolean) => void }

/** What the person is asked to show now: by signing in, or by their password once more. */
export const wish = storeOf<PromptRequest | null>(null)
let asked: Promise<boolean> | null = null

/** Asks once for all calls that wait. False when the person would rather not. */
export function askFor(what: PromptRequest['what']): Promise<boolean> {
  asked ??= new Promise<boolean>((answer) => wish.set({ what, answer })).finally(() => {
    asked = null
    wish.set(null)
  })
  return asked
}

/** What the person was asked to prove went wrong so often that the session has ended: they sign in, and what waits goes on. */
export function askToSignInInstead(): void {
  const waiting = wish.get()
  if (waiting) wish.set({ ...waiting, what: 'signIn' })
}
