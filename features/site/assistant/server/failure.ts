import { ModelFault } from '#assistant/server/protocol/event.ts'

type CallError = Error & {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
  requestBodyValues?: unknown
}

/** An error status of a provider, or no response at all, as the client library throws it. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

/** A model ended without any text. */
export class EmptyAnswer extends ModelFault {}

/** The reason of a failure, for staff. Never the provider's own message, which may contain the key. */
export function failureReason(error: unknown): string {
  if (isCallError(error)) return error.statusCode === undefined ? 'No answer' : `HTTP ${error.statusCode}`
  if (error instanceof ModelFault) return error.message
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

export function statusOf(error: unknown): number {
  return isCallError(error) ? (error.statusCode ?? 0) : 0
}

/** The time that the provider asks for, in seconds: in a header, or in words. */
export function retryAfterSeconds(error: unknown): number | null {
  if (!isCallError(error)) return null
  const { 'retry-after-ms': milliseconds = '', 'retry-after': header = '' } = error.responseHeaders ?? {}
  const [, spoken = '', unit = ''] = (statusOf(error) === 429 && inWords.exec(error.responseBody ?? '')) || []
  const seconds = [
    numberIn(milliseconds) / 1_000,
    numberIn(header),
    (Date.parse(header) - Date.now()) / 1_000,
    numberIn(spoken) / (unit.toLowerCase() === 'ms' ? 1_000 : 1),
  ].find(Number.isFinite)
  return seconds === undefined ? null : Math.min(Math.max(Math.ceil(seconds), 1), maxRestSeconds)
}

const inWords = /\b(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s)/i

function numberIn(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** A wait that a reader sees through. */
const maxWaitSeconds = 10

/** The seconds after which a provider that is busy may be asked again while the reader waits; null where that is too long. */
export function shortWait(error: unknown): number | null {
  const seconds = [429, 503, 529].includes(statusOf(error)) ? retryAfterSeconds(error) : null
  return seconds !== null && seconds <= maxWaitSeconds ? seconds : null
}

const maxRestSeconds = 3_600

// Some providers report a filtered question as an error instead of an answer.
const filters =
  /content[_-]?(filter|policy|management)|data_inspection_failed|SensitiveContent|risk[_ ]control|content[_ ]exists[_ ]risk|high[_ ]risk/i

export function isRefusedContent(error: unknown): boolean {
  return isCallError(error) && error.statusCode === 400 && filters.test(error.responseBody ?? '')
}
