import { CallFailed } from '#base/web/call.ts'
import type { Translate } from '#base/web/words.tsx'

/** Stopped by the reader. */
export function isStop(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'AbortError'
}

/** The error message of a failed answer. */
export function failureText(failure: unknown, words: Translate): string {
  if (failure instanceof CallFailed) return failure.status === 404 ? words('gone') : failure.message || words('failed')
  reportError(failure)
  return words('failed')
}
