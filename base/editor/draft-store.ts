import {
  allSlots,
  hasSameContent,
  isEmpty,
  putSlot,
  slotOf,
  slotsOfOthers,
  type SiteDraftState,
  type Slot,
} from '#base/editor/draft-slots.ts'
import { draftStates, setDraftState } from '#base/editor/draft-state.ts'
import { tabName } from '#base/web/tab-name.ts'
import { isDrafting } from '#base/editor/drafting.ts'

const watchers = new Map<string, Set<() => void>>()

/** Syncs drafts with the site, and so with other devices, for logged-in members. */
export type DraftSyncer = {
  /** An editor opened this draft. */
  opened(draftKey: string): void
  /** The draft was edited or dropped. */
  changed(draftKey: string): void
  /** Another tab sent, dropped or replaced the draft shown here, or stores a different one. */
  changedElsewhere(draftKey: string): void
  /** The person chose one of two versions. */
  choose(draftKey: string, which: 'mine' | 'other'): void
}

let syncer: DraftSyncer | null = null
const openKeys = new Set<string>()

/** Starts the syncing of drafts, including those in open editors. */
export function syncDrafts(by: DraftSyncer): void {
  syncer = by
  for (const draftKey of openKeys) by.opened(draftKey)
}

export function chooseVersion(draftKey: string, which: 'mine' | 'other'): void {
  syncer?.choose(draftKey, which)
}

const nothing: Slot = { text: null, fields: null, known: { version: null, isSaved: false, over: [] }, at: 0, took: [] }

// The text in this tab takes precedence over its stored slot, which another tab may have taken over.
const current = new Map<string, Slot>()
/** Tabs whose slots this tab starts from; they are taken over when an editor opens. */
const sources = new Map<string, string>()
/** Tabs that store the same text as shown here, until it is edited here. */
const storedBy = new Map<string, string>()

/** The draft in this tab. A tab without one starts from another tab's, preferably one that is stored nowhere else. */
export function currentDraft(draftKey: string): Slot {
  if (typeof window === 'undefined') return nothing
  const known = current.get(draftKey) ?? slotOf(tabName(), draftKey)
  const slot = known ?? newestOfOthers(draftKey) ?? nothing
  current.set(draftKey, slot)
  return slot
}

/** Stores the text of a draft on this device. False if there is no space or no storage. */
export function storeText(draftKey: string, draft: unknown): boolean {
  return change(draftKey, { text: draft })
}

/** Stores the plain fields of the draft's form. */
export function storeFields(draftKey: string, fields: Record<string, string>): void {
  change(draftKey, { fields })
}

/** Drops only the text, which equals the saved post again. */
export function clearText(draftKey: string): void {
  change(draftKey, { text: null })
}

/** Drops a sent or discarded draft and empties its form. A different text from another tab stays. */
export function clearDraft(draftKey: string): void {
  const was = currentDraft(draftKey)
  for (const { tab, slot } of slotsOfOthers(draftKey)) if (!isEmpty(slot) && hasSameContent(slot, was)) putSlot(tab, draftKey, null)
  change(draftKey, { text: null, fields: null })
  show(draftKey)
}

/** Drops all drafts of a kind, in all tabs. The text of an open editor stays. */
export function dropDrafts(isMeant: (draftKey: string) => boolean): void {
  for (const draftKey of current.keys()) if (isMeant(draftKey) && !openKeys.has(draftKey)) current.delete(draftKey)
  for (const { tab, draftKey } of allSlots()) if (isMeant(draftKey)) putSlot(tab, draftKey, null)
}

/** Replaces the draft with another version, and shows it. */
export function replaceDraft(
  draftKey: string,
  { text, fields }: Pick<Slot, 'text' | 'fields'>,
  known: SiteDraftState,
  took: string[] = [],
): void {
  put(draftKey, { text, fields, known, at: Date.now(), took })
  show(draftKey)
}

/** Records the state of the site's version. An empty draft that the site does not have is removed. */
export function setSiteState(draftKey: string, known: SiteDraftState): void {
  const slot = { ...currentDraft(draftKey), known }
  if (storedBy.has(draftKey)) current.set(draftKey, slot)
  else put(draftKey, slot)
}

/** Shows another tab's draft. Only that tab stores it, until it is edited here. */
export function followTab(draftKey: string, tab: string, slot: Slot): void {
  current.set(draftKey, slot)
  storedBy.set(draftKey, tab)
  putSlot(tabName(), draftKey, null)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab sent or dropped the draft shown here. */
export function detach(draftKey: string): void {
  current.set(draftKey, nothing)
  storedBy.delete(draftKey)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab took over the draft shown here and stores it now. */
export function handOverTo(draftKey: string, tab: string): void {
  storedBy.set(draftKey, tab)
}

/** Another tab dropped its version, which may resolve a conflict. */
export function recheckConflict(draftKey: string): void {
  if (draftStates.get().get(draftKey)?.other) syncer?.changedElsewhere(draftKey)
}

/** Stores the draft in this tab's own slot again, marked as unsaved, so that it is neither followed nor dropped. */
export function storeOwn(draftKey: string): void {
  const slot = currentDraft(draftKey)
  put(draftKey, { ...slot, known: { ...slot.known, isSaved: false } })
  syncer?.changedElsewhere(draftKey)
}

export function storingTab(draftKey: string): string | undefined {
  return storedBy.get(draftKey)
}

/** Calls `show` whenever the draft is replaced from elsewhere; returns the unsubscribe function. */
export function whenReplaced(draftKey: string, show: () => void): () => void {
  const these = watchers.get(draftKey) ?? new Set()
  watchers.set(draftKey, these.add(show))
  return () => these.delete(show)
}

export function open(draftKey: string): () => void {
  openKeys.add(draftKey)
  takeOver(draftKey)
  setDraftState(draftKey, { where: storageOf(currentDraft(draftKey)) })
  syncer?.opened(draftKey)
  isDrafting.set(true)
  return () => openKeys.delete(draftKey)
}

export function currentKeys(): Iterable<string> {
  return current.keys()
}

/** Reloads a draft after the page was in the back/forward cache, where it received no events. */
export function reload(draftKey: string): void {
  const slot = slotOf(tabName(), draftKey)
  if (!slot || hasSameContent(slot, currentDraft(draftKey))) return
  current.set(draftKey, slot)
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
  const slot = current.get(draftKey)
  if (source === undefined || !slot) return
  // A slot that was edited since differs from this draft and stays.
  const there = slotOf(source, draftKey)
  if (put(draftKey, slot) && there && hasSameContent(there, slot)) putSlot(source, draftKey, null)
}

function change(draftKey: string, part: Partial<Pick<Slot, 'text' | 'fields'>>): boolean {
  const before = currentDraft(draftKey)
  const slot = { ...before, ...part, at: Date.now(), known: { ...before.known, isSaved: false } }
  const isKept = put(draftKey, slot)
  setDraftState(draftKey, { where: storageOf(slot) })
  syncer?.changed(draftKey)
  return isKept
}

function put(draftKey: string, slot: Slot): boolean {
  storedBy.delete(draftKey)
  current.set(draftKey, slot)
  return putSlot(tabName(), draftKey, isEmpty(slot) && slot.known.version === null ? null : slot)
}

function show(draftKey: string): void {
  setDraftState(draftKey, { where: storageOf(currentDraft(draftKey)) })
  for (const one of watchers.get(draftKey) ?? []) one()
}

function storageOf(slot: Slot): 'site' | 'device' | null {
  if (isEmpty(slot)) return null
  return slot.known.isSaved ? 'site' : 'device'
}
