import { storeOf } from '#base/web/store.ts'

/** What another device wrote in the same place, as words. */
export type OtherVersion = { text: string; savedAt: string; device: string | null }

export type DraftState = {
  /** Whether the site has it as it stands here. */
  isOnSite: boolean
  other: OtherVersion | null
}

/** How it stands with the drafts that are carried, by their keys. */
export const draftStates = storeOf<ReadonlyMap<string, DraftState>>(new Map())

export function setDraftState(draftKey: string, state: DraftState | null): void {
  const states = new Map(draftStates.get())
  if (state) states.set(draftKey, state)
  else states.delete(draftKey)
  draftStates.set(states)
}
