import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed } from '#base/web/call.ts'
import { deviceName } from '#base/web/device-name.ts'
import { replaceDraft, type Carrier } from '#base/web/editor/draft-place.ts'
import { setDraftState } from '#base/web/editor/draft-state.ts'
import type { DraftView, dropDraft, oneDraft, saveDraft } from '#draft/contract.ts'
import { contentHere, isSame, knownOf, placeOf, remember, wordsOf, writerName } from '#draft/web/here.ts'

const pauseMs = 800
const retryMs = 15_000
const quietly = { silent: true, background: true }

/** Takes a member's drafts to the site when typing pauses, and brings what their other devices wrote. */
export function draftCarrier(api: Api): Carrier {
  const journeys = new Map<string, Journey>()

  function journeyOf(draftKey: string): Journey | null {
    const place = placeOf(draftKey, member.get()?.userId)
    if (place === null) return null
    const journey = journeys.get(draftKey) ?? new Journey(api, draftKey, place)
    journeys.set(draftKey, journey)
    return journey
  }

  function hurry(): void {
    for (const journey of journeys.values()) journey.hurry()
  }
  addEventListener('online', hurry)
  document.addEventListener('visibilitychange', () => document.hidden && hurry())

  return {
    opened: (draftKey) => void journeyOf(draftKey)?.open(),
    changed: (draftKey) => journeyOf(draftKey)?.change(),
    keep: (draftKey, which) => journeyOf(draftKey)?.keep(which),
  }
}

/**
 * One draft on its way between this device and the site. Where both have changed neither is overwritten: the person is shown both,
 * and until they have chosen the draft stays where it is.
 */
class Journey {
  readonly #api: Api
  readonly #draftKey: string
  readonly #place: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #isBusy = false
  #other: DraftView | null = null

  constructor(api: Api, draftKey: string, place: string) {
    this.#api = api
    this.#draftKey = draftKey
    this.#place = place
  }

  async open(): Promise<void> {
    if (this.#other || !this.#isTheirs()) return
    try {
      await this.#look()
    } catch (error) {
      this.#failed(error)
    }
  }

  change(): void {
    remember(this.#draftKey, { ...knownOf(this.#draftKey), isSaved: false })
    if (!this.#other) this.#goIn(pauseMs)
  }

  keep(which: 'mine' | 'other'): void {
    const other = this.#other
    if (!other) return
    this.#other = null
    if (which === 'other') return this.#adopt(other)
    remember(this.#draftKey, { version: other.version, isSaved: false })
    this.#goIn(0)
  }

  /** Goes now if it was to go. */
  hurry(): void {
    if (this.#timer) this.#goIn(0)
  }

  // Another member may have logged in since.
  #isTheirs(): boolean {
    return placeOf(this.#draftKey, member.get()?.userId) !== null
  }

  #goIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#go(), ms)
  }

  async #go(): Promise<void> {
    this.#timer = undefined
    if (!this.#isTheirs()) return
    if (this.#isBusy) return this.#goIn(pauseMs)
    this.#isBusy = true
    try {
      await this.#bring()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isBusy = false
    }
  }

  async #bring(): Promise<void> {
    const content = contentHere(this.#draftKey)
    const { version: basedOn } = knownOf(this.#draftKey)
    if (!content) return this.#drop(basedOn)
    const input = { place: this.#place, content, writer: writerName(), ...(basedOn !== null && { basedOn }) }
    const { version, other } = await this.#api.write<typeof saveDraft>('/user/control/draft/save', input, quietly)
    if (other) return this.#meet(other)
    this.#isAt(version, isSame(content, contentHere(this.#draftKey)))
  }

  async #drop(version: string | null): Promise<void> {
    if (version !== null) await this.#api.write<typeof dropDraft>('/user/control/draft/drop', { place: this.#place, version }, quietly)
    if (!contentHere(this.#draftKey)) this.#isAt(null, false)
  }

  async #look(): Promise<void> {
    const before = contentHere(this.#draftKey)
    const { draft } = await this.#api.read<typeof oneDraft>('/user/control/draft', { place: this.#place }, quietly)
    const here = contentHere(this.#draftKey)
    const { version, isSaved } = knownOf(this.#draftKey)
    const isUntouched = isSame(before, here) && (here ? isSaved : version === null || version !== draft?.version)
    if (isSame(draft?.content ?? null, here)) this.#isAt(draft?.version ?? null, draft !== null)
    // What is here as it was saved, and gone there, was sent or dropped elsewhere.
    else if (isUntouched && (draft || version !== null)) this.#adopt(draft)
    else if (draft && draft.version !== version) this.#meet(draft)
    else this.#goIn(0)
  }

  #adopt(draft: DraftView | null): void {
    replaceDraft(this.#draftKey, draft?.content ?? { text: null, fields: null })
    this.#isAt(draft?.version ?? null, draft !== null)
  }

  #meet(other: DraftView): void {
    this.#other = other
    const { savedAt, device, content } = other
    setDraftState(this.#draftKey, { isOnSite: false, other: { text: wordsOf(content), savedAt, device: deviceName(device) } })
  }

  #isAt(version: string | null, isSaved: boolean): void {
    remember(this.#draftKey, version === null ? null : { version, isSaved })
    setDraftState(this.#draftKey, version === null ? null : { isOnSite: isSaved, other: null })
  }

  // It stays on this device. What the site will not have as it stands goes again when it has changed.
  #failed(error: unknown): void {
    if (!(error instanceof CallFailed)) throw error
    setDraftState(this.#draftKey, { isOnSite: false, other: null })
    if (error.status !== 401 && error.status !== 422) this.#goIn(retryMs)
  }
}
