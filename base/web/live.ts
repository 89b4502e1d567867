import type { Subscription, StreamReader } from '#base/web/api.ts'
import { NoResponse, timeoutMs, type HttpResponse, type HttpRequest } from '#base/web/send.ts'
import { takeStreamName } from '#base/web/stream-name.ts'

// The server sends a heartbeat every ten seconds. If three are missing, the connection is dead.
const silenceMs = 30_000

/**
 * Reads a stream of events to its end. EventSource cannot send an access token, so this reads the response body. A response that is no
 * stream is returned as it is.
 */
export async function subscribe(httpRequest: HttpRequest, { lastId, onUpdate, onRetry, signal }: Subscription): Promise<HttpResponse> {
  const { name, free } = takeStreamName(httpRequest.address, signal)
  const headers = { ...httpRequest.headers, 'Teahouse-Stream': name, ...(lastId && { 'Last-Event-ID': lastId }) }
  try {
    return await readEvents({ ...httpRequest, headers }, signal, (event) => {
      if (event.name === 'retry') onRetry?.(Number(event.data))
      else onUpdate(JSON.parse(event.data), event.id)
      return null
    })
  } finally {
    free()
  }
}

/**
 * Reads a streamed answer to its end. A refusal within the stream is returned as a response with its status; a connection that breaks
 * before the end rejects as unanswered, after the pieces received were delivered.
 */
export async function readPieces(httpRequest: HttpRequest, { onPiece, signal }: StreamReader): Promise<HttpResponse> {
  let isEnded = false
  const answer = await readEvents(httpRequest, signal, ({ name, data }) => {
    const value = JSON.parse(data)
    if (name === 'refused') return { status: value.status, text: JSON.stringify(value.body) }
    if (name === 'end') isEnded = true
    if (name === '') onPiece(value)
    return null
  })
  if (answer.status === 200 && !isEnded) throw new NoResponse(false)
  return answer
}

/** Reads events until the stream ends, or `take` returns the call's response. */
async function readEvents(
  { address, ...request }: HttpRequest,
  signal: AbortSignal,
  take: (event: ServerEvent) => HttpResponse | null,
): Promise<HttpResponse> {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), timeoutMs)
  try {
    const response = await fetch(address, {
      ...request,
      headers: { ...request.headers, Accept: 'text/event-stream' },
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
      for (const event of read(part.value)) {
        const answer = take(event)
        if (answer) return answer
      }
    }
    return { status: response.status, text: '{}' }
  } catch {
    signal.throwIfAborted()
    throw new NoResponse(quiet.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

type ServerEvent = { id: string; name: string; data: string }

/** Parses server-sent events from chunks of any size. A time to wait before the next connection is the event `retry`. */
export function eventReader(): (part: string) => ServerEvent[] {
  let rest = ''
  let id = ''
  let name = ''
  let data: string[] = []

  function* take(lines: readonly string[]): Iterable<ServerEvent> {
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === 'id') id = value
      if (field === 'event') name = value
      if (field === 'data') data.push(value)
      if (field === 'retry' && /^\d+$/.test(value)) yield { id, name: field, data: value }
      if (line !== '') continue
      if (data.length > 0) yield { id, name, data: data.join('\n') }
      name = ''
      data = []
    }
  }

  return (part) => {
    // A trailing carriage return may be the first half of a line end.
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return [...take(lines)]
  }
}
