/** An event in the answer of a model. */
export type Event = { kind: 'text'; text: string } | { kind: 'calls'; input: unknown } | { kind: 'called' }

/** The minimum interval between sent texts: providers send single letters. */
const sentEveryMs = 40

/**
 * The same events with text merged, so that readers get a few pieces per second. Text waits for the interval and no longer, whatever
 * follows. `end` aborts the source when the consumer stops while an event is awaited.
 */
export async function* gathered(events: AsyncIterable<Event>, end: () => void, everyMs = sentEveryMs): AsyncIterable<Event> {
  const coming = events[Symbol.asyncIterator]()
  let [text, sentAt] = ['', 0]
  let next: Promise<Taken> | null = null
  try {
    for (;;) {
      next ??= taken(coming)
      const come = text === '' ? await next : await orLate(next, sentAt + everyMs - Date.now())
      if (text !== '' && (come === null || come.event?.kind !== 'text')) {
        yield { kind: 'text', text }
        text = ''
        sentAt = Date.now()
      }
      if (come === null) continue
      next = null
      if (come.event === null) return come.end()
      if (come.event.kind === 'text') text += come.event.text
      else yield come.event
    }
  } finally {
    if (next) end()
    await coming.return?.()
  }
}

/** An event, or the end of the source: text before a failure is sent before it. */
type Taken = { event: Event } | { event: null; end: () => void }

async function taken(coming: AsyncIterator<Event>): Promise<Taken> {
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
function orLate(next: Promise<Taken>, ms: number): Promise<Taken | null> {
  if (ms <= 0) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    next.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
