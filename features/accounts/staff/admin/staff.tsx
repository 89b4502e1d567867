import type { Output } from '#base/contract.ts'
import { dropDrafts } from '#base/editor/draft-store.ts'
import { allSlots } from '#base/editor/draft-slots.ts'
import { createStore } from '#base/web/store.ts'
import type { me as meCall, StaffRight } from '#staff/right-contract.ts'

export type Me = Output<typeof meCall>
export type { StaffRight }

/** The member of staff who is logged in; null while unknown. */
export const me = createStore<Me | null>(null)

/** The right that a screen or action needs. The server checks again; screens only hide what it would refuse. */
export type RequiredRight = StaffRight | 'self' | /** Any of these. */ readonly StaffRight[]

export function mayDo(required: RequiredRight): boolean {
  if (required === 'self') return true
  return [required].flat().some((right) => me.get()?.rights.includes(right))
}

const draftsOfStaff = 'staff '
const draftsOf = (id: string) => `${draftsOfStaff}${id} `

/** The storage key of a draft, per account: another account on this device must not find it. */
export function ownDraftKey(draftKey: string): string {
  return draftsOf(me.get()?.id ?? '') + draftKey
}

/** My drafts whose keys have this prefix; returns the keys without it. */
export function ownDrafts(start: string): string[] {
  const mine = ownDraftKey(start)
  return allSlots().flatMap(({ draftKey }) => (draftKey.startsWith(mine) ? [draftKey.slice(mine.length)] : []))
}

/** Deletes from this device all drafts of staff except those of this account; all of them after a logout. */
export function dropDraftsOfOthers(id: string | null): void {
  dropDrafts((draftKey) => draftKey.startsWith(draftsOfStaff) && (id === null || !draftKey.startsWith(draftsOf(id))))
}

type PromptRequest = { what: 'signIn' | 'prove'; answer: (isShown: boolean) => void }

/** The open prompt: a login, or the password once more. */
export const promptRequest = createStore<PromptRequest | null>(null)
let openPrompt: Promise<boolean> | null = null

/** Opens one prompt for all waiting calls. False when it is cancelled. */
export function promptFor(what: PromptRequest['what']): Promise<boolean> {
  openPrompt ??= new Promise<boolean>((answer) => promptRequest.set({ what, answer })).finally(() => {
    openPrompt = null
    promptRequest.set(null)
  })
  return openPrompt
}

/**
 * After too many failures of the password prompt the session has ended: the prompt becomes a login, and the waiting calls continue after
 * it.
 */
export function promptLoginInstead(): void {
  const waiting = promptRequest.get()
  if (waiting) promptRequest.set({ ...waiting, what: 'signIn' })
}
