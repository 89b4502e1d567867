import { ModelFault } from '#assistant/server/protocol/event.ts'

export type StreamEvent = { /** The name of the event, if it has one. */ name: string; data: string }

/** The time until which a stream is read; null before its words have ended. */
export type Deadline = () => number | null

/** The events of a response: server-sent ones, or the whole body as one where it is JSON, whatever its type says. */
export async function* eventsOf(response: Response, deadline: Deadline): AsyncIterable<StreamEvent> {
  const chunks = textsOf(response, deadline)
  let start = ''
  while (start.trim() === '') {
    const { done, value } = await chunks.next()
    if (done) return
    start = limited(start + value)
  }
  const all = withStart(start, chunks)
  yield* /^\s*[[{]/.test(start) ? whole(all) : parsed(all)
}

async function* withStart(start: string, chunks: AsyncIterable<string>): AsyncIterable<string> {
  yield start
  yield* chunks
}

async function* whole(chunks: AsyncIterable<string>): AsyncIterable<StreamEvent> {
  let data = ''
  for await (const chunk of chunks) data = limited(data + chunk)
  yield { name: '', data }
}

async function* parsed(chunks: AsyncIterable<string>): AsyncIterable<StreamEvent> {
  let [rest, name, data]: [string, string, string | null] = ['', '', null]
  for await (const chunk of withEnd(chunks)) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = limited(lines.pop() ?? '')
    for (const line of lines) {
      // Names of fields are lower case, which not every provider knows.
      const [, named = '', value = ''] = /^\s*(event|data)\s*(?:: ?([^]*))?$/i.exec(line) ?? []
      const field = named.toLowerCase()
      if (field === 'event') name = value
      if (field === 'data') data = data === null ? value : limited(`${data}\n${value}`)
      if (line !== '') continue
      if (data !== null) yield { name, data }
      ;[name, data] = ['', null]
    }
  }
}

const maxEventLength = 1_000_000

function limited(text: string): string {
  if (text.length > maxEventLength) throw new ModelFault('It sent a piece that is too long')
  return text
}

// Some end without the empty line after the last event.
async function* withEnd(chunks: AsyncIterable<string>): AsyncIterable<string> {
  yield* chunks
  yield '\n\n\n'
}

async function* textsOf({ body }: Response, deadline: Deadline): AsyncGenerator<string> {
  const reader = body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  for (let chunk = await before(deadline(), reader.read()); !chunk.done; chunk = await before(deadline(), reader.read()))
    yield decoder.decode(chunk.value, { stream: true })
  yield decoder.decode()
}

type Chunk = { done: boolean; value?: Uint8Array | undefined }

/** A chunk, or the end where none comes in time. */
async function before(deadline: number | null, next: Promise<Chunk>): Promise<Chunk> {
  if (deadline === null) return next
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Chunk>((resolve) => (timer = setTimeout(() => resolve({ done: true }), deadline - performance.now())))
  // A connection that fails after its last word changes nothing.
  return Promise.race([next.catch(() => ({ done: true })), late]).finally(() => clearTimeout(timer))
}
