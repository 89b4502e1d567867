const place = 'readTo'
const mostTopics = 300

type Pair = [topicId: string, floor: number]

/** How far a visitor has read a topic on this device; null when never. */
export function keptOnDevice(topicId: string): number | null {
  return all().find(([id]) => id === topicId)?.[1] ?? null
}

/** Of the topics read, those read last are kept. */
export function keepOnDevice(topicId: string, floor: number): void {
  const others = all().filter(([id]) => id !== topicId)
  const kept = [...others.slice(1 - mostTopics), [topicId, Math.max(keptOnDevice(topicId) ?? 0, floor)]]
  try {
    localStorage.setItem(place, JSON.stringify(kept))
  } catch {
    // storage is closed to us, or full: the next visit begins at the top
  }
}

function all(): Pair[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPair) : []
  } catch {
    return [] // storage is closed to us, or somebody else wrote there
  }
}

function isPair(pair: unknown): pair is Pair {
  return Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number'
}
