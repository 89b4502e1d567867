/** An event of a model's answer. */
export type Event = { kind: 'text'; text: string } | { kind: 'calls'; input: unknown } | { kind: 'called' }

/** Words are sent at most so often: providers say one letter at a time. */
const sentEveryMs = 40

/**
 * The same events with words gathered, so that readers are sent some pieces a second. Words wait for that time and no longer, whatever comes after
 * them. Where nobody reads on while an event is awaited, `end` must end what makes them.
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

/** An event, or what the end of all is: words that came before a failure are sent before it. */
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

/** Waits for an event so long, and no longer; null where none came. */
function orLate(next: Promise<Taken>, ms: number): Promise<Taken | null> {
  if (ms <= 0) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    next.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
