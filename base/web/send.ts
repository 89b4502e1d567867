import { updateSiteTime } from '#base/web/site-time.ts'

export const timeoutMs = 20_000

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT'
  address: string
  headers: Record<string, string>
  body?: URLSearchParams | FormData | Blob
  keepalive?: boolean
}
export type HttpResponse = { status: number; text: string; /** The header `Retry-After`. */ retryAfter?: string | null }

/** No response: unreachable, or timed out. The request may have arrived all the same. */
export class NoResponse extends Error {
  override name = 'NoAnswer'
  readonly isLate: boolean
  constructor(isLate: boolean) {
    super(isLate ? 'The answer came too late' : 'No answer came')
    this.isLate = isLate
  }
}

/** Sends and reads the whole response within 20 seconds. Rejects as unanswered, or with the signal's reason when it is aborted. */
export async function send({ address, ...request }: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, {
      ...request,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    updateSiteTime(response.headers.get('date'))
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
  } catch {
    signal?.throwIfAborted()
    throw new NoResponse(late.aborted)
  }
}

/** A file of the site, as a blob. */
export async function fetchBlob(address: string): Promise<Blob> {
  try {
    const response = await fetch(address, { credentials: 'same-origin', signal: AbortSignal.timeout(timeoutMs) })
    if (response.ok) return await response.blob()
  } catch {
    // reported below, like a missing file
  }
  throw new NoResponse(false)
}
