const storageKey = 'readTo'
const maxTopics = 300

type Pair = [topicId: string, floor: number]

/** A visitor's read position of a topic, from this device; null for none. */
export function storedReadPosition(topicId: string): number | null {
  return storedPairs().find(([id]) => id === topicId)?.[1] ?? null
}

/** Stores a visitor's read position; the most recently read topics are kept. */
export function storeReadPosition(topicId: string, floor: number): void {
  const others = storedPairs().filter(([id]) => id !== topicId)
  const pairs = [...others.slice(1 - maxTopics), [topicId, Math.max(storedReadPosition(topicId) ?? 0, floor)]]
  try {
    localStorage.setItem(storageKey, JSON.stringify(pairs))
  } catch {
    // storage is not available or full: the next visit begins at the top
  }
}

function storedPairs(): Pair[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPair) : []
  } catch {
    return [] // storage is not available, or has unexpected content
  }
}

function isPair(pair: unknown): pair is Pair {
  return Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number'
}
