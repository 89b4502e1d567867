import { tabName } from '#base/web/tab-name.ts'

/** The last known state of the site's version of a draft. */
export type SiteDraftState = {
  version: string | null
  isSaved: boolean
  /** The versions that the person rejected. */
  over: string[]
}

/** A draft as one tab stores it on this device. */
export type Slot = {
  text: unknown
  fields: unknown
  known: SiteDraftState
  at: number
  /** The tabs from which it was taken over unchanged. */
  took: string[]
  /** The person compared it with another and rejected it. */
  isPassedOver?: boolean
}

export type SlotChange = { tab: string; draftKey: string; before: Slot | null; now: Slot | null }

const slotKeyPattern = /^draft ([0-9a-f]{32}) ([^]*)$/
const slotKey = (tab: string, draftKey: string) => `draft ${tab} ${draftKey}`

/** Each tab writes to a slot of its own, so that none overwrites another's text. */
export function slotOf(tab: string, draftKey: string): Slot | null {
  try {
    return parseSlot(localStorage.getItem(slotKey(tab, draftKey)))
  } catch {
    return null // storage is unavailable
  }
}

/** False if there is no space or no storage. */
export function putSlot(tab: string, draftKey: string, slot: Slot | null): boolean {
  try {
    if (slot === null) localStorage.removeItem(slotKey(tab, draftKey))
    else localStorage.setItem(slotKey(tab, draftKey), JSON.stringify(slot))
    return true
  } catch {
    return false
  }
}

/** The same draft in other tabs' slots, newest first, including those of closed tabs. */
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

export function hasSameContent(one: Slot, other: Slot): boolean {
  return JSON.stringify([one.text, one.fields]) === JSON.stringify([other.text, other.fields])
}

export function allSlots(): { tab: string; draftKey: string }[] {
  try {
    return Object.keys(localStorage).flatMap((key) => {
      const [, tab, draftKey] = slotKeyPattern.exec(key) ?? []
      return tab !== undefined && draftKey !== undefined ? [{ tab, draftKey }] : []
    })
  } catch {
    return [] // storage is unavailable
  }
}

/** Calls `react` when another tab changes a slot, its own or this tab's. */
export function onOtherTabsChange(react: (change: SlotChange) => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    const [, tab, draftKey] = slotKeyPattern.exec(key ?? '') ?? []
    if (tab !== undefined && draftKey !== undefined) react({ tab, draftKey, before: parseSlot(oldValue), now: parseSlot(newValue) })
  })
}

function tabsWith(draftKey: string): string[] {
  return allSlots().flatMap((one) => (one.draftKey === draftKey ? [one.tab] : []))
}

function parseSlot(value: string | null): Slot | null {
  try {
    const { text = null, fields = null, known, at = 0, took = [], isPassedOver } = JSON.parse(value ?? 'null') ?? {}
    if (!Number.isFinite(at) || at === 0) return null
    const slot = { text, fields, known: { version: null, isSaved: false, over: [], ...known }, at, took }
    return isPassedOver ? { ...slot, isPassedOver } : slot
  } catch {
    return null // unreadable, so foreign
  }
}
