import { createStore } from '#base/web/store.ts'

/** The text of another device or tab in the same draft. */
export type OtherVersion = { text: string; savedAt: string; device: string | null; isTab: boolean }

export type DraftState = {
  /** The place where the current text is stored; null for an empty draft. */
  where: 'site' | 'device' | null
  /** The lasting reason why it is only on this device. */
  why: 'offline' | 'away' | 'tooMany' | 'tooLarge' | 'notTaken' | 'choose' | null
  other: OtherVersion | null
}

/** The state of this page's drafts, by key. */
export const draftStates = createStore<ReadonlyMap<string, DraftState>>(new Map())

const nothing: DraftState = { where: null, why: null, other: null }

/** Updates the state of a draft; does nothing if it is unchanged. */
export function setDraftState(draftKey: string, change: Partial<DraftState>): void {
  const before = draftStates.get().get(draftKey) ?? nothing
  const state = { ...before, ...change }
  if (state.where !== 'device') state.why = null
  if (state.where === before.where && state.why === before.why && state.other === before.other) return
  draftStates.set(new Map(draftStates.get()).set(draftKey, state))
}
