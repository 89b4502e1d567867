const prefix = 'draft '
const writers = new Map<string, Set<() => void>>()

/** Keeps something under a draft's name on this device. False when there is no room, or when the browser keeps nothing. */
export function store(draftKey: string, draft: unknown): boolean {
  try {
    localStorage.setItem(prefix + draftKey, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function stored(draftKey: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(prefix + draftKey) ?? 'null')
  } catch {
    return null // not readable, so not ours
  }
}

/** Drops the draft and empties the editors that were writing it: what they held is sent. */
export function clearDraft(draftKey: string): void {
  forgetDraft(draftKey)
  for (const startAnew of writers.get(draftKey) ?? []) startAnew()
}

export function forgetDraft(draftKey: string): void {
  try {
    localStorage.removeItem(prefix + draftKey)
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

export function whenCleared(draftKey: string, startAnew: () => void): () => void {
  const these = writers.get(draftKey) ?? new Set()
  writers.set(draftKey, these.add(startAnew))
  return () => these.delete(startAnew)
}
