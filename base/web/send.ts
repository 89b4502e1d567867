const timeoutMs = 20_000

export type Sent = {
  method: 'GET' | 'POST' | 'PUT'
  address: string
  headers: Record<string, string>
  body?: URLSearchParams | FormData | Blob
}
export type Heard = { status: number; text: string }

/** The site did not answer: nobody there, or too late. What was sent may have arrived all the same. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly isLate: boolean
  constructor(isLate: boolean) {
    super(isLate ? 'The answer came too late' : 'No answer came')
    this.isLate = isLate
  }
}

/** Sends and hears the whole answer within 20 seconds. Rejects with `NoAnswer`, or with the signal's reason when it is called off. */
export async function send({ address, ...request }: Sent, signal?: AbortSignal): Promise<Heard> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, {
      ...request,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    return { status: response.status, text: await response.text() }
  } catch {
    signal?.throwIfAborted()
    throw new NoAnswer(late.aborted)
  }
}

/** Sends a file, telling how far it is from 0 to 1. A slow line may take its time: it is late when nothing moves for 20 seconds. */
export function sendWithProgress(
  { method, address, headers, body }: Sent,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<Heard> {
  return new Promise((settle, fail) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    let isLate = false
    let stalled: ReturnType<typeof setTimeout> | undefined
    const abort = () => request.abort()
    function moves(): void {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        isLate = true
        abort()
      }, timeoutMs)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      moves()
      onProgress(total > 0 ? loaded / total : 0)
    })
    request.addEventListener('progress', moves)
    request.addEventListener('loadend', () => {
      clearTimeout(stalled)
      signal?.removeEventListener('abort', abort)
      if (request.status > 0) settle({ status: request.status, text: request.responseText })
      else fail(signal?.aborted ? signal.reason : new NoAnswer(isLate))
    })
    signal?.addEventListener('abort', abort)
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    moves()
    request.send(body ?? null)
  })
}
