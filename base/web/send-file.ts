import { NoResponse, timeoutMs, type HttpResponse, type HttpRequest } from '#base/web/send.ts'

/** Uploads a file and reports progress from 0 to 1. A slow connection has no deadline; 20 seconds without progress is a timeout. */
export function sendWithProgress(
  { method, address, headers, body }: HttpRequest,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  return new Promise((settle, fail) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    let isLate = false
    let stalled: ReturnType<typeof setTimeout> | undefined
    const abort = () => request.abort()
    function onProgressEvent(): void {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        isLate = true
        abort()
      }, timeoutMs)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgressEvent()
      onProgress(total > 0 ? loaded / total : 0)
    })
    request.addEventListener('progress', onProgressEvent)
    request.addEventListener('loadend', () => {
      clearTimeout(stalled)
      signal?.removeEventListener('abort', abort)
      const { status, responseText: text } = request
      if (status > 0) settle({ status, text, retryAfter: retryAfterOf(request) })
      else fail(signal?.aborted ? signal.reason : new NoResponse(isLate))
    })
    signal?.addEventListener('abort', abort)
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    onProgressEvent()
    request.send(body ?? null)
  })
}

/** Null where another origin keeps it to itself: asked for by its name, the browser complains. */
function retryAfterOf(request: XMLHttpRequest): string | null {
  return /^retry-after: *(.+)$/im.exec(request.getAllResponseHeaders())?.[1] ?? null
}
