type CallError = Error & { statusCode?: number; responseHeaders?: Record<string, string>; responseBody?: string }

/** An answer of a provider that is none of success, or none at all, as the client library throws it. */
function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

/** A model that ended without a word. */
export const saidNothing = new Error('It said nothing')

/** The reason of a failure, for staff. Never the words of a provider, which may hold the key. */
export function saidOf(error: unknown): string {
  if (isCallError(error)) return error.statusCode === undefined ? 'No answer' : `HTTP ${error.statusCode}`
  if (!(error instanceof Error)) return 'Unknown'
  const inner = 'lastError' in error ? error.lastError : error.cause
  return isCallError(inner) ? saidOf(inner) : error.name
}

/** True for a provider that refused to begin, and took nothing for it. */
export function isNotBegun(error: unknown): boolean {
  return statusOf(error) >= 400 || (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
}

/** True for a failure that may pass when the same is asked once more. */
export function mayBeRepeated(error: unknown): boolean {
  return isNotBegun(error) && (statusOf(error) === 0 || statusOf(error) >= 500)
}

function statusOf(error: unknown): number {
  return isCallError(error) ? (error.statusCode ?? 0) : 0
}

/** For how long a provider asks to be left alone. */
export function secondsToRest(error: unknown): number | null {
  const told = isCallError(error) ? error.responseHeaders?.['retry-after'] : undefined
  if (told === undefined) return null
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), longestRest) : null
}

const longestRest = 3_600

// Some providers refuse a question by an error in place of an answer.
const filters = /content[_-]?(filter|policy|management)|data_inspection_failed|SensitiveContent|risk[_ ]control/i

export function isRefusedContent(error: unknown): boolean {
  return isCallError(error) && error.statusCode === 400 && filters.test(error.responseBody ?? '')
}
