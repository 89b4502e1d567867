import { storeOf } from '#base/web/store.ts'

/** What another device or another tab wrote in the same place, as words. */
export type OtherVersion = { text: string; savedAt: string; device: string | null; isTab: boolean }

export type DraftState = {
  /** Where it is kept as it stands here; null where there is nothing to keep. */
  where: 'site' | 'device' | null
  /** Why it is only on this device, where that is no matter of a moment. */
  why: 'offline' | 'away' | 'tooMany' | 'tooLarge' | 'notTaken' | 'choose' | null
  other: OtherVersion | null
}

/** How it stands with the drafts that are written here, by their keys. */
export const draftStates = storeOf<ReadonlyMap<string, DraftState>>(new Map())

const nothing: DraftState = { where: null, why: null, other: null }

/** Changes what is said of a draft. Nothing is drawn anew while it stays the same. */
export function setDraftState(draftKey: string, change: Partial<DraftState>): void {
  const before = draftStates.get().get(draftKey) ?? nothing
  const state = { ...before, ...change }
  if (state.where !== 'device') state.why = null
  if (state.where === before.where && state.why === before.why && state.other === before.other) return
  draftStates.set(new Map(draftStates.get()).set(draftKey, state))
}
