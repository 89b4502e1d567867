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

/** A version that differs: the site's, or what another tab left on this device. */
type Other = { draft: DraftView } | { tab: string; slot: Slot }

/**
 * One draft on its way between this tab and the site. Where both have changed neither is overwritten: the person is shown both,
 * and until they have chosen the draft stays where it is.
 */
export type Journey = {
  api: Api
  draftKey: string
  place: string
  timer: ReturnType<typeof setTimeout> | undefined
  isBusy: boolean
  other: Other | null
}

export function begin(api: Api, draftKey: string, place: string): Journey {
  return { api, draftKey, place, timer: undefined, isBusy: false, other: null }
}

/** Learns what the site has, and what other tabs left on this device. */
export async function open(journey: Journey): Promise<void> {
  if (journey.other || !isTheirs(journey)) return
  const asked = Date.now()
  try {
    await look(journey)
  } catch (error) {
    failed(journey, error)
  }
  if (!journey.other) meetWhatIsLeft(journey, asked)
}

export function change(journey: Journey): void {
  // What was sent or dropped is not to be chosen any more.
  if (journey.other && contentHere(journey.draftKey) === null) settle(journey)
  if (!journey.other) goIn(journey, contentHere(journey.draftKey) === null ? 0 : pauseMs)
}

/** Another tab has changed what stands here, or keeps something else: whatever was begun is begun anew. */
export function turn(journey: Journey): void {
  clearTimeout(journey.timer)
  journey.timer = undefined
  settle(journey)
  if (keeperOf(journey.draftKey) === undefined && contentHere(journey.draftKey) !== null) void open(journey)
}

/** Of two versions the person keeps one. */
export function choose(journey: Journey, which: 'mine' | 'other'): void {
  const { other, draftKey } = journey
  if (!other) return
  settle(journey)
  if ('slot' in other) chooseOfTab(journey, other, which)
  else if (which === 'other') adopt(journey, other.draft)
  else {
    const { version } = other.draft
    remember(draftKey, { version, isSaved: false, over: [...knownOf(draftKey).over, version] })
  }
  meetWhatIsLeft(journey)
  if (!journey.other && !knownOf(draftKey).isSaved) goIn(journey, 0)
}

/** Goes now if it was to go. */
export function hurry(journey: Journey): void {
  if (journey.timer) goIn(journey, 0)
}

export async function go(journey: Journey): Promise<void> {
  journey.timer = undefined
  // What another tab keeps goes from there.
  if (!isTheirs(journey) || journey.other || keeperOf(journey.draftKey) !== undefined) return
  if (journey.isBusy) return goIn(journey, pauseMs)
  journey.isBusy = true
  try {
    await bring(journey)
  } catch (error) {
    failed(journey, error)
  } finally {
    journey.isBusy = false
  }
  if (contentHere(journey.draftKey) === null) hurry(journey)
}

// Another member may have logged in since.
function isTheirs({ draftKey }: Journey): boolean {
  return placeOf(draftKey, member.get()?.userId) !== null
}

function goIn(journey: Journey, ms: number): void {
  clearTimeout(journey.timer)
  journey.timer = setTimeout(() => void go(journey), ms)
}

async function bring(journey: Journey): Promise<void> {
  const { api, draftKey, place } = journey
  const content = contentHere(draftKey)
  const { version: basedOn } = knownOf(draftKey)
  if (content === null) return drop(journey, basedOn)
  if (content === 'tooLarge') return setDraftState(draftKey, { why: 'tooLarge' })
  const input = { place, content, writer: tabName(), ...(basedOn !== null && { basedOn }) }
  const { version, other } = await api.write<typeof saveDraft>('/user/control/draft/save', input, quietly)
  if (other) meet(journey, { draft: other })
  else settleAt(journey, version, isSame(content, contentHere(draftKey)))
}

async function drop(journey: Journey, version: string | null): Promise<void> {
  const { api, draftKey, place } = journey
  if (version !== null) await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version }, { ...quietly, survives: true })
  if (contentHere(draftKey) === null) settleAt(journey, null, false)
}

async function look(journey: Journey): Promise<void> {
  const { draftKey } = journey
  const before = contentHere(draftKey)
  const draft = await onSite(journey)
  const here = contentHere(draftKey)
  const { version, isSaved, over } = knownOf(draftKey)
  const isUntouched = isSame(before, here) && (here ? isSaved : version === null || version !== draft?.version)
  if (isSame(draft?.content ?? null, here)) settleAt(journey, draft?.version ?? null, draft !== null)
  // What is here as it was saved, and gone there, was sent or dropped elsewhere.
  else if (isUntouched && (draft || version !== null)) adopt(journey, draft)
  else if (draft && draft.version !== version && !over.includes(draft.version)) meet(journey, { draft })
  else goIn(journey, 0)
}

/** The site's version. One that a tab sent or dropped, and was closed before it could say so, is none. */
async function onSite({ api, draftKey, place }: Journey): Promise<DraftView | null> {
  const { draft } = await api.read<typeof oneDraft>('/user/control/draft', { place }, quietly)
  const ended = draft && slotsOfOthers(draftKey).find(({ slot }) => isEmpty(slot) && slot.known.version === draft.version)
  if (!ended) return draft
  await api.write<typeof dropDraft>('/user/control/draft/drop', { place, version: draft.version }, quietly)
  putSlot(ended.tab, draftKey, null)
  return null
}

function adopt(journey: Journey, draft: DraftView | null): void {
  const content = draft?.content ?? { text: null, fields: null }
  replaceDraft(journey.draftKey, content, { version: draft?.version ?? null, isSaved: draft !== null, over: [] })
  settle(journey)
}

/** Tabs that were closed may have left what the site never had. What was written since is of one that is open, and goes from there. */
function meetWhatIsLeft(journey: Journey, since = Date.now()): void {
  const { draftKey } = journey
  const mine = draftHere(draftKey)
  const left = slotsOfOthers(draftKey)
    .filter(({ slot }) => slot.at <= since && !slot.known.isSaved && !slot.isPassedOver)
    .find(({ tab, slot }) => tab !== keeperOf(draftKey) && !isEmpty(slot) && !holdsSame(slot, mine))
  if (!left) return
  if (!isEmpty(mine)) return meet(journey, left)
  chooseOfTab(journey, left, 'other')
  goIn(journey, 0)
}

function chooseOfTab({ draftKey }: Journey, { tab, slot }: { tab: string; slot: Slot }, which: 'mine' | 'other'): void {
  if (which === 'mine') return void putSlot(tab, draftKey, { ...slot, isPassedOver: true })
  replaceDraft(draftKey, slot, slot.known, [...slot.took, tab])
  putSlot(tab, draftKey, null)
}

function meet(journey: Journey, other: Other): void {
  const { draftKey } = journey
  journey.other = other
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

function settleAt(journey: Journey, version: string | null, isSaved: boolean): void {
  isAt(journey.draftKey, version, isSaved)
  settle(journey)
}

/** There is nothing to choose, and nothing that keeps it from the site. */
function settle(journey: Journey): void {
  journey.other = null
  setDraftState(journey.draftKey, { where: whereOf(journey), why: null, other: null })
}

function whereOf({ draftKey }: Journey): DraftState['where'] {
  if (contentHere(draftKey) === null) return null
  return knownOf(draftKey).isSaved ? 'site' : 'device'
}

// It stays on this device. What the site will not have as it stands goes again when it has changed.
function failed(journey: Journey, error: unknown): void {
  if (!(error instanceof CallFailed)) throw error
  setDraftState(journey.draftKey, { where: whereOf(journey), why: whyNot(error), other: null })
  if (![400, 401, 413, 422].includes(error.status)) goIn(journey, retryMs)
}

function whyNot(error: CallFailed): DraftState['why'] {
  if (error.status === 0) return 'offline'
  if (error.status === 401) return null
  if (error.status === 413) return 'tooLarge'
  if (error instanceof FieldErrors) return error.fields['draft'] ? 'tooMany' : 'notTaken'
  return error.status === 400 || error.status === 422 ? 'notTaken' : 'away'
}
