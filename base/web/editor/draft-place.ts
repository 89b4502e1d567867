const prefix = 'draft '
const showing = new Map<string, Set<() => void>>()

/** Takes drafts to the site and brings those of other devices, for who is logged in. */
export type Carrier = {
  /** An editor shows this draft from now on. */
  opened(draftKey: string): void
  /** It was written on, or dropped. */
  changed(draftKey: string): void
  /** Of two versions the person keeps one. */
  keep(draftKey: string, which: 'mine' | 'other'): void
}

let carrier: Carrier | null = null
const opened = new Set<string>()

/** From now on drafts are carried, those in the open editors too. */
export function carryDrafts(by: Carrier): void {
  carrier = by
  for (const draftKey of opened) by.opened(draftKey)
}

export function keepVersion(draftKey: string, which: 'mine' | 'other'): void {
  carrier?.keep(draftKey, which)
}

/** Where the plain fields of the same form are kept. */
export function fieldsPlace(draftKey: string): string {
  return `fields ${draftKey}`
}

/** Keeps the text of a draft on this device. False when there is no room, or when the browser keeps nothing. */
export function store(draftKey: string, draft: unknown): boolean {
  const isKept = put(draftKey, draft)
  carrier?.changed(draftKey)
  return isKept
}

/** The same for the plain fields of its form. */
export function storeFields(draftKey: string, fields: Record<string, string>): void {
  put(fieldsPlace(draftKey), fields)
  carrier?.changed(draftKey)
}

export function stored(place: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(prefix + place) ?? 'null')
  } catch {
    return null // not readable, so not ours
  }
}

/** Drops the text alone: it says what was there before. */
export function forgetText(draftKey: string): void {
  put(draftKey, null)
  carrier?.changed(draftKey)
}

/** Drops the draft and empties the form that was writing it: what it held is sent, or not wanted. */
export function clearDraft(draftKey: string): void {
  replaceDraft(draftKey, { text: null, fields: null })
  carrier?.changed(draftKey)
}

/** Puts what came from elsewhere in its place, and shows it. */
export function replaceDraft(draftKey: string, { text, fields }: { text: unknown; fields: unknown }): void {
  put(draftKey, text)
  put(fieldsPlace(draftKey), fields)
  for (const show of showing.get(draftKey) ?? []) show()
}

/** Shows a draft until the end that is given back: `show` is called when another hand has replaced it. */
export function whenReplaced(draftKey: string, show: () => void): () => void {
  const these = showing.get(draftKey) ?? new Set()
  showing.set(draftKey, these.add(show))
  return () => these.delete(show)
}

export function open(draftKey: string): () => void {
  opened.add(draftKey)
  carrier?.opened(draftKey)
  return () => opened.delete(draftKey)
}

function put(place: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(prefix + place)
    else localStorage.setItem(prefix + place, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
