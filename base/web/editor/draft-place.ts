import { allSlots, holdsSame, isEmpty, putSlot, slotOf, slotsOfOthers, type Known, type Slot } from '#base/web/editor/draft-slots.ts'
import { draftStates, setDraftState } from '#base/web/editor/draft-state.ts'
import { tabName } from '#base/web/editor/draft-tab.ts'
import { isDrafting } from '#base/web/editor/drafting.ts'

const showing = new Map<string, Set<() => void>>()

/** Syncs drafts with the site and so with other devices, for who is logged in. */
export type DraftSyncer = {
  /** An editor shows this draft from now on. */
  opened(draftKey: string): void
  /** It was written on, or dropped. */
  changed(draftKey: string): void
  /** Another tab has sent, dropped or replaced what this one showed, or keeps something else. */
  changedElsewhere(draftKey: string): void
  /** Of two versions the person keeps one. */
  keep(draftKey: string, which: 'mine' | 'other'): void
}

let syncer: DraftSyncer | null = null
const opened = new Set<string>()

/** From now on drafts are synced, those in the open editors too. */
export function syncDrafts(by: DraftSyncer): void {
  syncer = by
  for (const draftKey of opened) by.opened(draftKey)
}

export function keepVersion(draftKey: string, which: 'mine' | 'other'): void {
  syncer?.keep(draftKey, which)
}

const nothing: Slot = { text: null, fields: null, known: { version: null, isSaved: false, over: [] }, at: 0, took: [] }

// What this tab shows counts for more than what its slot says: another tab may have taken that over.
const here = new Map<string, Slot>()
/** Tabs whose slots this tab begins from; they are taken over once an editor is open. */
const sources = new Map<string, string>()
/** Tabs that keep what is shown here too, until somebody writes here. */
const keepers = new Map<string, string>()

/** A draft as it stands in this tab. A tab that has none begins with what another left, rather with what is nowhere else. */
export function draftHere(draftKey: string): Slot {
  if (typeof window === 'undefined') return nothing
  const known = here.get(draftKey) ?? slotOf(tabName(), draftKey)
  const slot = known ?? newestOfOthers(draftKey) ?? nothing
  here.set(draftKey, slot)
  return slot
}

/** Keeps the text of a draft on this device. False when there is no room, or when the browser keeps nothing. */
export function store(draftKey: string, draft: unknown): boolean {
  return change(draftKey, { text: draft })
}

/** The same for the plain fields of its form. */
export function storeFields(draftKey: string, fields: Record<string, string>): void {
  change(draftKey, { fields })
}

/** Drops the text alone: it says what was there before. */
export function forgetText(draftKey: string): void {
  change(draftKey, { text: null })
}

/** Drops the draft and empties the form that was writing it: what it held is sent, or not wanted. What another tab wrote stays. */
export function clearDraft(draftKey: string): void {
  const was = draftHere(draftKey)
  for (const { tab, slot } of slotsOfOthers(draftKey)) if (!isEmpty(slot) && holdsSame(slot, was)) putSlot(tab, draftKey, null)
  change(draftKey, { text: null, fields: null })
  show(draftKey)
}

/** Drops drafts of a kind as all tabs keep them. In an editor that is open here, the text stays. */
export function dropDrafts(isMeant: (draftKey: string) => boolean): void {
  for (const draftKey of here.keys()) if (isMeant(draftKey) && !opened.has(draftKey)) here.delete(draftKey)
  for (const { tab, draftKey } of allSlots()) if (isMeant(draftKey)) putSlot(tab, draftKey, null)
}

/** Puts what came from elsewhere in its place, and shows it. */
export function replaceDraft(draftKey: string, { text, fields }: Pick<Slot, 'text' | 'fields'>, known: Known, took: string[] = []): void {
  put(draftKey, { text, fields, known, at: Date.now(), took })
  show(draftKey)
}

/** Says what is known of the site's version. Nothing is left of an empty draft that the site does not have. */
export function remember(draftKey: string, known: Known): void {
  const slot = { ...draftHere(draftKey), known }
  if (keepers.has(draftKey)) here.set(draftKey, slot)
  else put(draftKey, slot)
}

/** Shows here what another tab keeps. Only that tab keeps it, until somebody writes here. */
export function follow(draftKey: string, tab: string, slot: Slot): void {
  here.set(draftKey, slot)
  keepers.set(draftKey, tab)
  putSlot(tabName(), draftKey, null)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab has sent or dropped what stands here. */
export function letGo(draftKey: string): void {
  here.set(draftKey, nothing)
  keepers.delete(draftKey)
  show(draftKey)
  syncer?.changedElsewhere(draftKey)
}

/** Another tab has taken over what stands here as it stands: it keeps it now. */
export function leaveTo(draftKey: string, tab: string): void {
  keepers.set(draftKey, tab)
}

/** Another tab keeps nothing there any more: where one was to choose, there may be nothing left to choose. */
export function lookAgain(draftKey: string): void {
  if (draftStates.get().get(draftKey)?.other) syncer?.changedElsewhere(draftKey)
}

/** Keeps what is shown here in this tab's own slot again, as nothing that anybody may follow or forget. */
export function protect(draftKey: string): void {
  const slot = draftHere(draftKey)
  put(draftKey, { ...slot, known: { ...slot.known, isSaved: false } })
  syncer?.changedElsewhere(draftKey)
}

export function keeperOf(draftKey: string): string | undefined {
  return keepers.get(draftKey)
}

/** Shows a draft until the end that is given back: `show` is called when another hand has replaced it. */
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

/** Reads a draft anew: the page was put aside, and heard nothing. */
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
  // What was written there since is no more what stands here.
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
