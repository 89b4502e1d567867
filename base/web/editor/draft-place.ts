import { allSlots, holdsSame, isEmpty, putSlot, slotOf, slotsOfOthers, type Known, type Slot } from '#base/web/editor/draft-slots.ts'
import { draftStates, setDraftState } from '#base/web/editor/draft-state.ts'
import { tabName } from '#base/web/editor/draft-tab.ts'
import { isDrafting } from '#base/web/editor/drafting.ts'

const showing = new Map<string, Set<() => void>>()

/** Syncs drafts with the site, and so with other devices, for logged-in members. */
export type DraftSyncer = {
  /** An editor opened this draft. */
  opened(draftKey: string): void
  /** The draft was edited or dropped. */
  changed(draftKey: string): void
  /** Another tab sent, dropped or replaced the draft shown here, or stores a different one. */
  changedElsewhere(draftKey: string): void
  /** The person chose one of two versions. */
  keep(draftKey: string, which: 'mine' | 'other'): void
}

let syncer: DraftSyncer | null = null
const opened = new Set<string>()

/** Starts the syncing of drafts, including those in open editors. */
export function syncDrafts(by: DraftSyncer): void {
  syncer = by
  for (const draftKey of opened) by.opened(draftKey)
}

export function keepVersion(draftKey: string, which: 'mine' | 'other'): void {
  syncer?.keep(draftKey, which)
}

const nothing: Slot = { text: null, fields: null, known: { version: null, isSaved: false, over: [] }, at: 0, took: [] }

// The text in this tab takes precedence over its stored slot, which another tab may have taken over.
const here = new Map<string, Slot>()
/** Tabs whose slots this tab starts from; they are taken over when an editor opens. */
const sources = new Map<string, string>()
/** Tabs that store the same text as shown here, until it is edited here. */
const keepers = new Map<string, string>()

/** The draft in this tab. A tab without one starts from another tab's, preferably one that is stored nowhere else. */
export function draftHere(draftKey: string): Slot {
  if (typeof window === 'undefined') return nothing
  const known = here.get(draftKey) ?? slotOf(tabName(), draftKey)
  const slot = known ?? newestOfOthers(draftKey) ?? nothing
  here.set(draftKey, slot)
  return slot
}

/** Stores the text of a draft on this device. False if there is no space or no storage. */
export function store(draftKey: string, draft: unknown): boolean {
  return change(draftKey, { text: draft })
}

/** Stores the plain fields of the draft's form. */
export function storeFields(draftKey: string, fields: Record<string, string>): void {
  change(draftKey, { fields })
}

/** Drops only the text, which equals the saved post again. */
export function forgetText(draftKey: string): void {
  change(draftKey, { text: null })
}

/** Drops a sent or discarded draft and empties its form. A different text from another tab stays. */
export function clearDraft(draftKey: string): void {
  const was = draftHere(draftKey)
  for (const { tab, slot } of slotsOfOthers(draftKey)) if (!isEmpty(slot) && holdsSame(slot, was)) putSlot(tab, draftKey, null)
  change(draftKey, { text: null, fields: null })
  show(draftKey)
}

/** Drops all drafts of a kind, in all tabs. The text of an open editor stays. */
export function dropDrafts(isMeant: (draftKey: string) => boolean): void {
  for (const draftKey of here.keys()) if (isMeant(draftKey) && !opened.has(draftKey)) here.delete(draftKey)
  for (const { tab, draftKey } of allSlots()) if (isMeant(draftKey)) putSlot(tab, draftKey, null)
}

/** Replaces the draft with another version, and shows it. */
export function replaceDraft(draftKey: string, { text, fields }: Pick<Slot, 'text' | 'fields'>, known: Known, took: string[] = []): void {
  put(draftKey, { text, fields, known, at: Date.now(), took })
  show(draftKey)
}

/** Records the state of the site's version. An empty draft that the site does not have is removed. */
export function remember(draftKey: string, known: Known): void {
  const slot = { ...draftHere(draftKey), known }
  if (keepers.has(draftKey)) here.set(draftKey, slot)
  else put(draftKey, slot)
}

/** Shows another tab's draft. Only that tab stores it, until it is edited here. */
export function follow(draftKey: string, tab: string, slot: Slot): void {
  here.set(draftKey, slot)
  keepers.set(draftKey, tab)
  putSlot(tabName(), draftKey, null)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab sent or dropped the draft shown here. */
export function letGo(draftKey: string): void {
  here.set(draftKey, nothing)
  keepers.delete(draftKey)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab took over the draft shown here and stores it now. */
export function leaveTo(draftKey: string, tab: string): void {
  keepers.set(draftKey, tab)
}

/** Another tab dropped its version, which may resolve a conflict. */
export function lookAgain(draftKey: string): void {
  if (draftStates.get().get(draftKey)?.other) syncer?.changedElsewhere(draftKey)
}

/** Stores the draft in this tab's own slot again, marked as unsaved, so that it is neither followed nor dropped. */
export function protect(draftKey: string): void {
  const slot = draftHere(draftKey)
  put(draftKey, { ...slot, known: { ...slot.known, isSaved: false } })
  syncer?.changedElsewhere(draftKey)
}

export function keeperOf(draftKey: string): string | undefined {
  return keepers.get(draftKey)
}

/** Calls `show` whenever the draft is replaced from elsewhere; returns the unsubscribe function. */
export function whenReplaced(draftKey: string, show: () => void): () => void {
  const these = showing.get(draftKey) ?? new Set()
  showing.set(draftKey, these.add(show))
  return () => these.delete(show)
}

export function open(draftKey: string): () => void {
  opened.add(draftKey)
  takeOver(draftKey)
  setDraftState(draftKey, { where: whereOf(draftHere(draftKey)) })
  syncer?.opened(draftKey)
  isDrafting.set(true)
  return () => opened.delete(draftKey)
}

export function shownHere(): Iterable<string> {
  return here.keys()
}

/** Reloads a draft after the page was in the back/forward cache, where it received no events. */
export function readAgain(draftKey: string): void {
  const slot = slotOf(tabName(), draftKey)
  if (!slot || holdsSame(slot, draftHere(draftKey))) return
  here.set(draftKey, slot)
  show(draftKey)
}

function newestOfOthers(draftKey: string): Slot | null {
  const all = slotsOfOthers(draftKey).filter(({ slot }) => !slot.isPassedOver)
  const full = all.filter(({ slot }) => !isEmpty(slot))
  const found = full.find(({ slot }) => !slot.known.isSaved) ?? full[0] ?? all[0]
  if (found) sources.set(draftKey, found.tab)
  return found ? { ...found.slot, took: [...found.slot.took, found.tab] } : null
}

function takeOver(draftKey: string): void {
  const source = sources.get(draftKey)
  sources.delete(draftKey)
  const slot = here.get(draftKey)
  if (source === undefined || !slot) return
  // A slot that was edited since differs from this draft and stays.
  const there = slotOf(source, draftKey)
  if (put(draftKey, slot) && there && holdsSame(there, slot)) putSlot(source, draftKey, null)
}

function change(draftKey: string, part: Partial<Pick<Slot, 'text' | 'fields'>>): boolean {
  const before = draftHere(draftKey)
  const slot = { ...before, ...part, at: Date.now(), known: { ...before.known, isSaved: false } }
  const isKept = put(draftKey, slot)
  setDraftState(draftKey, { where: whereOf(slot) })
  syncer?.changed(draftKey)
  return isKept
}

function put(draftKey: string, slot: Slot): boolean {
  keepers.delete(draftKey)
  here.set(draftKey, slot)
  return putSlot(tabName(), draftKey, isEmpty(slot) && slot.known.version === null ? null : slot)
}

function show(draftKey: string): void {
  setDraftState(draftKey, { where: whereOf(draftHere(draftKey)) })
  for (const one of showing.get(draftKey) ?? []) one()
}

function whereOf(slot: Slot): 'site' | 'device' | null {
  if (isEmpty(slot)) return null
  return slot.known.isSaved ? 'site' : 'device'
}
