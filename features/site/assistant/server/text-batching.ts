/** An event in the answer of a model. */
export type Event =
  | { kind: 'text'; text: string }
  /** All text before was a thought. */
  | { kind: 'restart' }
  | { kind: 'calls'; input: unknown }
  | { kind: 'called' }
  /** The answer was too long, and ends here. */
  | { kind: 'cut' }
  /** The only model is busy, and is asked again after so many seconds. */
  | { kind: 'waiting'; seconds: number }

/** The minimum interval between sent texts: providers send single letters. */
const sendEveryMs = 40

/**
 * The same events with text merged, so that readers get a few pieces per second. Text waits for the interval and no longer, whatever
 * follows. `end` aborts the source when the consumer stops while an event is awaited.
 */
export async function* batchText(events: AsyncIterable<Event>, end: () => void, everyMs = sendEveryMs): AsyncIterable<Event> {
  const coming = events[Symbol.asyncIterator]()
  let [text, sentAt] = ['', 0]
  let next: Promise<NextEvent> | null = null
  try {
    for (;;) {
      next ??= nextEvent(coming)
      const arrived = text === '' ? await next : await withTimeout(next, sentAt + everyMs - Date.now())
      if (text !== '' && (arrived === null || arrived.event?.kind !== 'text')) {
        yield { kind: 'text', text }
        text = ''
        sentAt = Date.now()
      }
      if (arrived === null) continue
      next = null
      if (arrived.event === null) return arrived.end()
      if (arrived.event.kind === 'text') text += arrived.event.text
      else yield arrived.event
    }
  } finally {
    if (next) end()
    await coming.return?.()
  }
}

/** An event, or the end of the source: text before a failure is sent before it. */
type NextEvent = { event: Event } | { event: null; end: () => void }

async function nextEvent(coming: AsyncIterator<Event>): Promise<NextEvent> {
  try {
    const { done, value } = await coming.next()
    return done ? { event: null, end: () => undefined } : { event: value }
  } catch (error) {
    return {
      event: null,
      end: () => {
        throw error
      },
    }
  }
}

/** Waits for an event with a timeout; null on timeout. */
function withTimeout(next: Promise<NextEvent>, ms: number): Promise<NextEvent | null> {
  if (ms <= 0) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    next.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
