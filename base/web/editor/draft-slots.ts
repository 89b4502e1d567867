import { tabName } from '#base/web/editor/draft-tab.ts'

/** What is known of the site's version of a draft. */
export type Known = {
  version: string | null
  isSaved: boolean
  /** The versions that the person saw and did not want. */
  over: string[]
}

/** A draft as one tab keeps it on this device. */
export type Slot = {
  text: unknown
  fields: unknown
  known: Known
  at: number
  /** The tabs from which it was taken over as it stood. */
  took: string[]
  /** The person saw it beside another and did not want it. */
  isPassedOver?: boolean
}

export type SlotChange = { tab: string; draftKey: string; before: Slot | null; now: Slot | null }

const written = /^draft ([0-9a-f]{32}) ([^]*)$/
const place = (tab: string, draftKey: string) => `draft ${tab} ${draftKey}`

/** Every tab writes in a slot of its own, so that none can overwrite the text of another. */
export function slotOf(tab: string, draftKey: string): Slot | null {
  try {
    return slotIn(localStorage.getItem(place(tab, draftKey)))
  } catch {
    return null // storage is closed to us
  }
}

/** False when there is no room, or when the browser keeps nothing. */
export function putSlot(tab: string, draftKey: string, slot: Slot | null): boolean {
  try {
    if (slot === null) localStorage.removeItem(place(tab, draftKey))
    else localStorage.setItem(place(tab, draftKey), JSON.stringify(slot))
    return true
  } catch {
    return false
  }
}

/** What other tabs keep for the same draft, the newest first; those that are closed among them. */
export function slotsOfOthers(draftKey: string): { tab: string; slot: Slot }[] {
  return tabsWith(draftKey)
    .flatMap((tab) => {
      const slot = tab === tabName() ? null : slotOf(tab, draftKey)
      return slot ? [{ tab, slot }] : []
    })
    .sort((one, other) => other.slot.at - one.slot.at)
}

export function isEmpty({ text, fields }: Pick<Slot, 'text' | 'fields'>): boolean {
  return text === null && Object.values(fields ?? {}).every((value) => value === '')
}

export function holdsSame(one: Slot, other: Slot): boolean {
  return JSON.stringify([one.text, one.fields]) === JSON.stringify([other.text, other.fields])
}

/** Every slot on this device. */
export function allSlots(): { tab: string; draftKey: string }[] {
  try {
    return Object.keys(localStorage).flatMap((key) => {
      const [, tab, draftKey] = written.exec(key) ?? []
      return tab !== undefined && draftKey !== undefined ? [{ tab, draftKey }] : []
    })
  } catch {
    return [] // storage is closed to us
  }
}

/** Hears what other tabs put and take away, in their slots and in ours. */
export function whenOthersChange(react: (change: SlotChange) => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    const [, tab, draftKey] = written.exec(key ?? '') ?? []
    if (tab !== undefined && draftKey !== undefined) react({ tab, draftKey, before: slotIn(oldValue), now: slotIn(newValue) })
  })
}

function tabsWith(draftKey: string): string[] {
  return allSlots().flatMap((one) => (one.draftKey === draftKey ? [one.tab] : []))
}

function slotIn(value: string | null): Slot | null {
  try {
    const { text = null, fields = null, known, at = 0, took = [], isPassedOver } = JSON.parse(value ?? 'null') ?? {}
    if (!Number.isFinite(at) || at === 0) return null
    const slot = { text, fields, known: { version: null, isSaved: false, over: [], ...known }, at, took }
    return isPassedOver ? { ...slot, isPassedOver } : slot
  } catch {
    return null // not readable, so not ours
  }
}
