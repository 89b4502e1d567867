import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { deviceName } from '#base/device-name.ts'
import { draftHere, keeperOf, remember, replaceDraft } from '#base/web/editor/draft-place.ts'
import { holdsSame, isEmpty, putSlot, slotsOfOthers, type Slot } from '#base/web/editor/draft-slots.ts'
import { setDraftState, type DraftState } from '#base/web/editor/draft-state.ts'
import { tabName } from '#base/web/editor/draft-tab.ts'
import type { DraftView, dropDraft, oneDraft, saveDraft } from '#draft/contract.ts'
import { contentHere, contentOf, isAt, isSame, knownOf, placeOf, wordsOf } from '#draft/web/here.ts'

const pauseMs = 800
const retryMs = 15_000
const quietly = { silent: true, background: true }

/** A conflicting version: of the server, or of another tab on this device. */
type Other = { draft: DraftView } | { tab: string; slot: Slot }

/**
 * The sync state of one draft between this tab and the server. In a conflict neither version is overwritten: both are shown, and
 * syncing pauses until the member has chosen.
 */
export type DraftSync = {
  api: Api
  draftKey: string
  place: string
  timer: ReturnType<typeof setTimeout> | undefined
  isBusy: boolean
  other: Other | null
}

export function begin(api: Api, draftKey: string, place: string): DraftSync {
  return { api, draftKey, place, timer: undefined, isBusy: false, other: null }
}

/** Loads the version of the server, and leftovers of other tabs on this device. */
export async function open(sync: DraftSync): Promise<void> {
  if (sync.other || !isTheirs(sync)) return
  const asked = Date.now()
  try {
    await pull(sync)
  } catch (error) {
    failed(sync, error)
  }
  if (!sync.other) takeLeftovers(sync, asked)
}

export function change(sync: DraftSync): void {
  // A sent or discarded draft is no longer in conflict.
  if (sync.other && contentHere(sync.draftKey) === null) settle(sync)
  if (!sync.other) pushIn(sync, contentHere(sync.draftKey) === null ? 0 : pauseMs)
}

/** Restarts the sync after another tab changed this draft or keeps another. */
export function restart(sync: DraftSync): void {
  clearTimeout(sync.timer)
  sync.timer = undefined
  settle(sync)
  if (keeperOf(sync.draftKey) === undefined && contentHere(sync.draftKey) !== null) void open(sync)
}

/** Resolves a conflict in favour of one version. */
export function choose(sync: DraftSync, which: 'mine' | 'other'): void {
  const { other, draftKey } = sync
  if (!other) return
  settle(sync)
  if ('slot' in other) chooseOfTab(sync, other, which)
  else if (which === 'other') adopt(sync, other.draft)
  else {
    const { version } = other.draft
    remember(draftKey, { version, isSaved: false, over: [...knownOf(draftKey).over, version] })
  }
  takeLeftovers(sync)
  if (!sync.other && !knownOf(draftKey).isSaved) pushIn(sync, 0)
}

export function pushNow(sync: DraftSync): void {
  if (sync.timer) pushIn(sync, 0)
}

export async function push(sync: DraftSync): Promise<void> {
  sync.timer = undefined
  // A draft kept by another tab is saved by that tab.
  if (!isTheirs(sync) || sync.other || keeperOf(sync.draftKey) !== undefined) return
  if (sync.isBusy) return pushIn(sync, pauseMs)
  sync.isBusy = true
  try {
    await send(sync)
  } catch (error) {
    failed(sync, error)
  } finally {
    sync.isBusy = false
  }
  if (contentHere(sync.draftKey) === null) pushNow(sync)
}

// Another member may have logged in since.
function isTheirs({ draftKey }: DraftSync): boolean {
  return placeOf(draftKey, member.get()?.userId) !== null
}

function pushIn(sync: DraftSync, ms: number): void {
  clearTimeout(sync.timer)
  sync.timer = setTimeout(() => void push(sync), ms)
}

async function send(sync: DraftSync): Promise<void> {
  const { api, draftKey, place } = sync
  const content = contentHere(draftKey)
  const { version: basedOn } = knownOf(draftKey)
  if (content === null) return drop(sync, basedOn)
  if (content === 'tooLarge') return setDraftState(draftKey, { why: 'tooLarge' })
  const input = { place, content, writer: tabName(), ...(basedOn !== null && { basedOn }) }
  const { version, other } = await api.write<typeof saveDraft>('/user/control/draft/save', input, quietly)
  if (other) conflict(sync, { draft: other })
  else settleAt(sync, version, isSame(content, contentHere(draftKey)))
}

async function drop(sync: DraftSync, version: string | null): Promise<void> {
  const { api, draftKey, place } = sync
  if (version !== null) await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version }, { ...quietly, keepalive: true })
  if (contentHere(draftKey) === null) settleAt(sync, null, false)
}

async function pull(sync: DraftSync): Promise<void> {
  const { draftKey } = sync
  const before = contentHere(draftKey)
  const draft = await onSite(sync)
  const here = contentHere(draftKey)
  const { version, isSaved, over } = knownOf(draftKey)
  const isUntouched = isSame(before, here) && (here ? isSaved : version === null || version !== draft?.version)
  if (isSame(draft?.content ?? null, here)) settleAt(sync, draft?.version ?? null, draft !== null)
  // If the local version was saved and is missing on the server, it was sent or discarded elsewhere.
  else if (isUntouched && (draft || version !== null)) adopt(sync, draft)
  else if (draft && draft.version !== version && !over.includes(draft.version)) conflict(sync, { draft })
  else pushIn(sync, 0)
}

/** The version of the server, except one that a tab sent or discarded but was closed before it could report it. */
async function onSite({ api, draftKey, place }: DraftSync): Promise<DraftView | null> {
  const { draft } = await api.read<typeof oneDraft>('/user/control/draft', { place }, quietly)
  const ended = draft && slotsOfOthers(draftKey).find(({ slot }) => isEmpty(slot) && slot.known.version === draft.version)
  if (!ended) return draft
  await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version: draft.version }, quietly)
  putSlot(ended.tab, draftKey, null)
  return null
}

function adopt(sync: DraftSync, draft: DraftView | null): void {
  const content = draft?.content ?? { text: null, fields: null }
  replaceDraft(sync.draftKey, content, { version: draft?.version ?? null, isSaved: draft !== null, over: [] })
  settle(sync)
}

/** Adopts drafts that closed tabs left unsaved. Anything written since then belongs to an open tab, which saves it. */
function takeLeftovers(sync: DraftSync, since = Date.now()): void {
  const { draftKey } = sync
  const mine = draftHere(draftKey)
  const left = slotsOfOthers(draftKey)
    .filter(({ slot }) => slot.at <= since && !slot.known.isSaved && !slot.isPassedOver)
    .find(({ tab, slot }) => tab !== keeperOf(draftKey) && !isEmpty(slot) && !holdsSame(slot, mine))
  if (!left) return
  if (!isEmpty(mine)) return conflict(sync, left)
  chooseOfTab(sync, left, 'other')
  pushIn(sync, 0)
}

function chooseOfTab({ draftKey }: DraftSync, { tab, slot }: { tab: string; slot: Slot }, which: 'mine' | 'other'): void {
  if (which === 'mine') return void putSlot(tab, draftKey, { ...slot, isPassedOver: true })
  replaceDraft(draftKey, slot, slot.known, [...slot.took, tab])
  putSlot(tab, draftKey, null)
}

function conflict(sync: DraftSync, other: Other): void {
  const { draftKey } = sync
  sync.other = other
  const { content, savedAt, device } =
    'slot' in other
      ? { content: contentOf(other.slot), savedAt: new Date(other.slot.at).toISOString(), device: navigator.userAgent }
      : other.draft
  const isTab = 'slot' in other || slotsOfOthers(draftKey).some(({ slot }) => slot.known.version === other.draft.version)
  setDraftState(draftKey, {
    where: 'device',
    why: 'choose',
    other: { text: wordsOf(content), savedAt, device: deviceName(device), isTab },
  })
}

function settleAt(sync: DraftSync, version: string | null, isSaved: boolean): void {
  isAt(sync.draftKey, version, isSaved)
  settle(sync)
}

/** Clears the conflict and any error that blocks the sync. */
function settle(sync: DraftSync): void {
  sync.other = null
  setDraftState(sync.draftKey, { where: whereOf(sync), why: null, other: null })
}

function whereOf({ draftKey }: DraftSync): DraftState['where'] {
  if (contentHere(draftKey) === null) return null
  return knownOf(draftKey).isSaved ? 'site' : 'device'
}

// The draft stays on this device. A refused version is saved again only after a change.
function failed(sync: DraftSync, error: unknown): void {
  if (!(error instanceof CallFailed)) throw error
  setDraftState(sync.draftKey, { where: whereOf(sync), why: whyNot(error), other: null })
  if (![400, 401, 413, 422].includes(error.status)) pushIn(sync, retryMs)
}

function whyNot(error: CallFailed): DraftState['why'] {
  if (error.status === 0) return 'offline'
  if (error.status === 401) return null
  if (error.status === 413) return 'tooLarge'
  if (error instanceof FieldErrors) return error.fields['draft'] ? 'tooMany' : 'notTaken'
  return error.status === 400 || error.status === 422 ? 'notTaken' : 'away'
}
