import { NoAnswer, timeoutMs, type Heard, type Sent } from '#base/web/send.ts'

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
