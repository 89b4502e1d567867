import type { Hearing } from '#base/web/api.ts'
import { NoAnswer, timeoutMs, type Heard, type Sent } from '#base/web/send.ts'

// The server says something every 25 seconds; a line that is silent for longer is dead, whatever the network claims.
const silenceMs = 60_000

/**
 * Listens to a stream of events, and ends with it. The browser's own listener cannot say who it is, so this one reads the answer
 * as it comes. An answer that is no stream comes back as it is.
 */
export async function hear({ address, ...request }: Sent, { lastId, tell, signal }: Hearing): Promise<Heard> {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), timeoutMs)
  try {
    const response = await fetch(address, {
      ...request,
      headers: { ...request.headers, Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    if (!response.ok || !response.body) return { status: response.status, text: await response.text() }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    const read = eventReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), silenceMs)
      for (const { id, data } of read(part.value)) tell(JSON.parse(data), id)
    }
    return { status: response.status, text: '{}' }
  } catch {
    signal.throwIfAborted()
    throw new NoAnswer(quiet.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

type Event = { id: string; data: string }

/** Takes a stream apart as it comes, wherever it was cut. Comments, and fields that we do not use, say nothing. */
export function eventReader(): (part: string) => Event[] {
  let rest = ''
  let id = ''
  let data: string[] = []

  function* take(lines: readonly string[]): Iterable<Event> {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (name === 'id') id = value
      if (name === 'data') data.push(value)
      if (line !== '' || data.length === 0) continue
      yield { id, data: data.join('\n') }
      data = []
    }
  }

  return (part) => {
    // A return at the end may be the first half of a line's end.
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return [...take(lines)]
  }
}
