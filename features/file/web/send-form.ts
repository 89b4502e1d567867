export type Watch = { onProgress?: (part: number) => void; signal?: AbortSignal }
export type Heard = { status: number; body: Record<string, unknown> }

/** Nothing moved for so long: the line is dead. A slow line that still moves may take its time. */
const stallMs = 30_000

/** Sends a form with files, telling how far it is from 0 to 1. Rejects when the line breaks or the signal aborts. */
export function sendForm(address: string, form: FormData, headers: Record<string, string>, { onProgress, signal }: Watch): Promise<Heard> {
  return new Promise((settle, fail) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let stalled = setTimeout(abort, stallMs)
    function moves(): void {
      clearTimeout(stalled)
      stalled = setTimeout(abort, stallMs)
    }
    function end(): void {
      clearTimeout(stalled)
      signal?.removeEventListener('abort', abort)
    }
    request.upload.addEventListener('progress', (event) => {
      moves()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    })
    request.addEventListener('progress', moves)
    request.addEventListener('loadend', () => {
      end()
      if (request.status > 0) settle({ status: request.status, body: read(request.responseText) })
      else fail(signal?.aborted ? signal.reason : new LineBroken())
    })
    signal?.addEventListener('abort', abort)
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(form)
  })
}

export class LineBroken extends Error {
  override name = 'LineBroken'
}

function read(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    return {} // an answer of a proxy in between; its status says enough
  }
}
