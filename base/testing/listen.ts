export type ReceivedEvent = { id: string; data: string }

/** A subscriber of an event stream. */
export type EventListener = {
  status: number
  headers: Headers
  text(): string
  events(): ReceivedEvent[]
  isClosed(): boolean
  close(): void
}

type OpenStream = (how: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>

/** Opens an event stream as a browser does, and records the events. */
export async function eventListener(open: OpenStream, headers: Record<string, string> = {}): Promise<EventListener> {
  const left = new AbortController()
  const response = await open({ headers: { ...headers, 'accept-encoding': 'br, gzip' }, signal: left.signal })
  let text = ''
  let isOver = false
  void read(response, (part) => (text += part)).finally(() => (isOver = true))
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () => eventsIn(text),
    isClosed: () => isOver,
    close: () => left.abort(),
  }
}

async function read({ body }: Response, hear: (part: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const part of body ?? []) hear(decoder.decode(part, { stream: true }))
  } catch {
    // Either side has disconnected.
  }
}

function eventsIn(text: string): ReceivedEvent[] {
  return [...text.matchAll(/^id: (.*)\ndata: (.*)\n$/gm)].map(([, id = '', data = '']) => ({ id, data }))
}
