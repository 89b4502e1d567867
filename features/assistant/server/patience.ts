import type { TextStreamPart, ToolSet } from 'ai'

/** The times that an answer is waited for. */
export const standardPatience = { firstWordMs: 60_000, silenceMs: 60_000, totalMs: 10 * 60_000, checkedEveryMs: 3_000, betweenTriesMs: 500 }
export type Patience = typeof standardPatience

/** A controller that aborts when a signal does, until it no longer follows it. */
export function following(signal: AbortSignal): { controller: AbortController; unfollow: () => void } {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  signal.addEventListener('abort', follow, { once: true })
  return { controller, unfollow: () => signal.removeEventListener('abort', follow) }
}

export type Part = TextStreamPart<ToolSet>

/**
 * The same parts, as long as none is waited for too long. The time that a slow reader takes is not the model's. It ends with the signal, whether the
 * library notices or not.
 */
export async function* within(parts: AsyncIterable<Part>, { firstWordMs, silenceMs }: Patience, own: AbortController): AsyncIterable<Part> {
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

/** The words of a part, whatever they are for. */
export function textIn(part: Part): string {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text
  return part.type === 'tool-input-delta' ? part.delta : ''
}
