import type { TextStreamPart, ToolSet } from 'ai'

/** Timeouts of an answer. */
export const defaultTimeouts = {
  firstWordMs: 60_000,
  silenceMs: 60_000,
  totalMs: 10 * 60_000,
  checkedEveryMs: 3_000,
  betweenTriesMs: 500,
  /** A second of a wait that a provider asks for. */
  secondMs: 1_000,
}
export type Timeouts = typeof defaultTimeouts

/** A controller that aborts with a signal, until `unfollow` is called. */
export function linkedController(signal: AbortSignal): { controller: AbortController; unfollow: () => void } {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  signal.addEventListener('abort', follow, { once: true })
  return { controller, unfollow: () => signal.removeEventListener('abort', follow) }
}

export type Part = TextStreamPart<ToolSet>

/**
 * The same parts, with a timeout for each. The time of a slow reader does not count. Ends with the signal, whether the library notices or
 * not.
 */
export async function* withTimeouts(
  parts: AsyncIterable<Part>,
  { firstWordMs, silenceMs }: Timeouts,
  own: AbortController,
): AsyncIterable<Part> {
  const coming = parts[Symbol.asyncIterator]()
  const { signal } = own
  let fail: (reason: unknown) => void = () => undefined
  signal.addEventListener('abort', () => fail(signal.reason))
  for (let left = firstWordMs; ;) {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Part>>()
    fail = reject
    coming.next().then(resolve, reject)
    const began = performance.now()
    const timer = setTimeout(() => own.abort(new Error('It was silent for too long')), left)
    const { done, value } = await promise.finally(() => clearTimeout(timer))
    if (done) return
    left = textIn(value) === '' && value.type !== 'tool-result' ? left - (performance.now() - began) : silenceMs
    yield value
  }
}

/** The text of a part, of any kind. */
export function textIn(part: Part): string {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text
  return part.type === 'tool-input-delta' ? part.delta : ''
}
