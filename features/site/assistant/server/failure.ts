type CallError = Error & { statusCode?: number; responseHeaders?: Record<string, string>; responseBody?: string }

/** An error status of a provider, or no response at all, as the client library throws it. */
function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

/** A model ended without any text. */
export const emptyAnswer = new Error('It said nothing')

/** The reason of a failure, for staff. Never the provider's own message, which may contain the key. */
export function failureReason(error: unknown): string {
  if (isCallError(error)) return error.statusCode === undefined ? 'No answer' : `HTTP ${error.statusCode}`
  if (!(error instanceof Error)) return 'Unknown'
  const inner = 'lastError' in error ? error.lastError : error.cause
  return isCallError(inner) ? failureReason(inner) : error.name
}

/** True for a provider that refused to begin, and charges nothing. */
export function isNotBegun(error: unknown): boolean {
  return statusOf(error) >= 400 || (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
}

/** True for a failure that a retry may pass. */
export function isRetryable(error: unknown): boolean {
  return isNotBegun(error) && (statusOf(error) === 0 || statusOf(error) >= 500)
}

function statusOf(error: unknown): number {
  return isCallError(error) ? (error.statusCode ?? 0) : 0
}

/** The provider's Retry-After, in seconds. */
export function retryAfterSeconds(error: unknown): number | null {
  const header = isCallError(error) ? error.responseHeaders?.['retry-after'] : undefined
  if (header === undefined) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxRestSeconds) : null
}

const maxRestSeconds = 3_600

// Some providers report a filtered question as an error instead of an answer.
const filters = /content[_-]?(filter|policy|management)|data_inspection_failed|SensitiveContent|risk[_ ]control/i

export function isRefusedContent(error: unknown): boolean {
  return isCallError(error) && error.statusCode === 400 && filters.test(error.responseBody ?? '')
}
