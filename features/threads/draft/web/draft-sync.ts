import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { deviceName } from '#base/device-name.ts'
import { currentDraft, storingTab, setSiteState, replaceDraft } from '#base/editor/draft-store.ts'
import { hasSameContent, isEmpty, putSlot, slotsOfOthers, type Slot } from '#base/editor/draft-slots.ts'
import { setDraftState, type DraftState } from '#base/editor/draft-state.ts'
import { tabName } from '#base/web/tab-name.ts'
import type { DraftView, dropDraft, oneDraft, saveDraft } from '#draft/contract.ts'
import { localContent, contentOf, setSyncedVersion, isSame, syncStateOf, serverPlace, textOf } from '#draft/web/local-draft.ts'

const pauseMs = 800
const retryMs = 15_000
const silentOptions = { silent: true, background: true }

/** A conflicting version: of the server, or of another tab on this device. */
type ConflictingVersion = { draft: DraftView } | { tab: string; slot: Slot }

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
  other: ConflictingVersion | null
}

export function begin(api: Api, draftKey: string, place: string): DraftSync {
  return { api, draftKey, place, timer: undefined, isBusy: false, other: null }
}

/** Loads the version of the server, and leftovers of other tabs on this device. */
export async function open(sync: DraftSync): Promise<void> {
  if (sync.other || !isOwner(sync)) return
  const startedAt = Date.now()
  try {
    await pull(sync)
  } catch (error) {
    failed(sync, error)
  }
  if (!sync.other) adoptLeftovers(sync, startedAt)
}

export function change(sync: DraftSync): void {
  // A sent or discarded draft is no longer in conflict.
  if (sync.other && localContent(sync.draftKey) === null) settle(sync)
  if (!sync.other) schedulePush(sync, localContent(sync.draftKey) === null ? 0 : pauseMs)
}

/** Restarts the sync after another tab changed this draft or keeps another. */
export function restart(sync: DraftSync): void {
  clearTimeout(sync.timer)
  sync.timer = undefined
  settle(sync)
  if (storingTab(sync.draftKey) === undefined && localContent(sync.draftKey) !== null) void open(sync)
}

/** Resolves a conflict in favour of one version. */
export function choose(sync: DraftSync, which: 'mine' | 'other'): void {
  const { other, draftKey } = sync
  if (!other) return
  settle(sync)
  if ('slot' in other) resolveTab(sync, other, which)
  else if (which === 'other') adopt(sync, other.draft)
  else {
    const { version } = other.draft
    setSiteState(draftKey, { version, isSaved: false, over: [...syncStateOf(draftKey).over, version] })
  }
  adoptLeftovers(sync)
  if (!sync.other && !syncStateOf(draftKey).isSaved) schedulePush(sync, 0)
}

export function pushNow(sync: DraftSync): void {
  if (sync.timer) schedulePush(sync, 0)
}

export async function push(sync: DraftSync): Promise<void> {
  sync.timer = undefined
  // A draft kept by another tab is saved by that tab.
  if (!isOwner(sync) || sync.other || storingTab(sync.draftKey) !== undefined) return
  if (sync.isBusy) return schedulePush(sync, pauseMs)
  sync.isBusy = true
  try {
    await send(sync)
  } catch (error) {
    failed(sync, error)
  } finally {
    sync.isBusy = false
  }
  if (localContent(sync.draftKey) === null) pushNow(sync)
}

// Another member may have logged in since.
function isOwner({ draftKey }: DraftSync): boolean {
  return serverPlace(draftKey, member.get()?.userId) !== null
}

function schedulePush(sync: DraftSync, ms: number): void {
  clearTimeout(sync.timer)
  sync.timer = setTimeout(() => void push(sync), ms)
}

async function send(sync: DraftSync): Promise<void> {
  const { api, draftKey, place } = sync
  const content = localContent(draftKey)
  const { version: basedOn } = syncStateOf(draftKey)
  if (content === null) return drop(sync, basedOn)
  if (content === 'tooLarge') return setDraftState(draftKey, { why: 'tooLarge' })
  const input = { place, content, writer: tabName(), ...(basedOn !== null && { basedOn }) }
  const { version, other } = await api.write<typeof saveDraft>('/user/control/draft/save', input, silentOptions)
  if (other) conflict(sync, { draft: other })
  else markSynced(sync, version, isSame(content, localContent(draftKey)))
}

async function drop(sync: DraftSync, version: string | null): Promise<void> {
  const { api, draftKey, place } = sync
  if (version !== null)
    await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version }, { ...silentOptions, keepalive: true })
  if (localContent(draftKey) === null) markSynced(sync, null, false)
}

async function pull(sync: DraftSync): Promise<void> {
  const { draftKey } = sync
  const before = localContent(draftKey)
  const draft = await fetchDraft(sync)
  const here = localContent(draftKey)
  const { version, isSaved, over } = syncStateOf(draftKey)
  const isUntouched = isSame(before, here) && (here ? isSaved : version === null || version !== draft?.version)
  if (isSame(draft?.content ?? null, here)) markSynced(sync, draft?.version ?? null, draft !== null)
  // If the local version was saved and is missing on the server, it was sent or discarded elsewhere.
  else if (isUntouched && (draft || version !== null)) adopt(sync, draft)
  else if (draft && draft.version !== version && !over.includes(draft.version)) conflict(sync, { draft })
  else schedulePush(sync, 0)
}

/** The version of the server, except one that a tab sent or discarded but was closed before it could report it. */
async function fetchDraft({ api, draftKey, place }: DraftSync): Promise<DraftView | null> {
  const { draft } = await api.read<typeof oneDraft>('/user/control/draft', { place }, silentOptions)
  const ended = draft && slotsOfOthers(draftKey).find(({ slot }) => isEmpty(slot) && slot.known.version === draft.version)
  if (!ended) return draft
  await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version: draft.version }, silentOptions)
  putSlot(ended.tab, draftKey, null)
  return null
}

function adopt(sync: DraftSync, draft: DraftView | null): void {
  const content = draft?.content ?? { text: null, fields: null }
  replaceDraft(sync.draftKey, content, { version: draft?.version ?? null, isSaved: draft !== null, over: [] })
  settle(sync)
}

/** Adopts drafts that closed tabs left unsaved. Anything written since then belongs to an open tab, which saves it. */
function adoptLeftovers(sync: DraftSync, since = Date.now()): void {
  const { draftKey } = sync
  const mine = currentDraft(draftKey)
  const left = slotsOfOthers(draftKey)
    .filter(({ slot }) => slot.at <= since && !slot.known.isSaved && !slot.isPassedOver)
    .find(({ tab, slot }) => tab !== storingTab(draftKey) && !isEmpty(slot) && !hasSameContent(slot, mine))
  if (!left) return
  if (!isEmpty(mine)) return conflict(sync, left)
  resolveTab(sync, left, 'other')
  schedulePush(sync, 0)
}

function resolveTab({ draftKey }: DraftSync, { tab, slot }: { tab: string; slot: Slot }, which: 'mine' | 'other'): void {
  if (which === 'mine') return void putSlot(tab, draftKey, { ...slot, isPassedOver: true })
  replaceDraft(draftKey, slot, slot.known, [...slot.took, tab])
  putSlot(tab, draftKey, null)
}

function conflict(sync: DraftSync, other: ConflictingVersion): void {
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
    other: { text: textOf(content), savedAt, device: deviceName(device), isTab },
  })
}

function markSynced(sync: DraftSync, version: string | null, isSaved: boolean): void {
  setSyncedVersion(sync.draftKey, version, isSaved)
  settle(sync)
}

/** Clears the conflict and any error that blocks the sync. */
function settle(sync: DraftSync): void {
  sync.other = null
  setDraftState(sync.draftKey, { where: locationOf(sync), why: null, other: null })
}

function locationOf({ draftKey }: DraftSync): DraftState['where'] {
  if (localContent(draftKey) === null) return null
  return syncStateOf(draftKey).isSaved ? 'site' : 'device'
}

// The draft stays on this device. A refused version is saved again only after a change.
function failed(sync: DraftSync, error: unknown): void {
  if (!(error instanceof CallFailed)) throw error
  setDraftState(sync.draftKey, { where: locationOf(sync), why: reasonOf(error), other: null })
  if (![400, 401, 413, 422].includes(error.status)) schedulePush(sync, retryMs)
}

function reasonOf(error: CallFailed): DraftState['why'] {
  if (error.status === 0) return 'offline'
  if (error.status === 401) return null
  if (error.status === 413) return 'tooLarge'
  if (error instanceof FieldErrors) return error.fields['draft'] ? 'tooMany' : 'notTaken'
  return error.status === 400 || error.status === 422 ? 'notTaken' : 'away'
}
