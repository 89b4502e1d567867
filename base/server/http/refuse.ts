import { z } from 'zod'
import { Refusal } from '#base/contract.ts'
import { TooBusy } from '#base/server/call-deadline.ts'
import { isOverloaded, isUnavailable } from '#base/server/database/database.ts'
import { say, type Language } from '#base/server/words.ts'
import { fieldAt, messageOf } from '#base/validation.ts'

export type ErrorAnswer = {
  status: number
  body: { error?: Record<string, string>; message?: string; seconds?: number }
  headers: Record<string, string>
  isOurFault: boolean
}

/** The HTTP answer to an error, in the person's language. Faults of ours are reported without details. */
export function errorAnswer(error: unknown, language: Language, method: string): ErrorAnswer {
  if (error instanceof Refusal) return refusalAnswer(error, language)
  if (error instanceof z.ZodError) return method === 'GET' ? queryErrors(error, language) : fieldErrors(error, language)
  const status = statusOf(error)
  if (status === 413) return messageAnswer(413, say(language, 'base.tooLarge'))
  if (status !== null) return messageAnswer(status, say(language, 'base.invalid'))
  const says = say(language, faultCode(error))
  if (!isUnavailable(error)) return { ...messageAnswer(500, says), isOurFault: true }
  // After so short a time our own pages send it again by themselves, which must repeat no effect and no long statement.
  const seconds = error instanceof TooBusy ? 1 : 5
  return { ...messageAnswer(503, says), headers: { 'retry-after': String(seconds) }, isOurFault: true }
}

/** The catalogue key for a fault of ours. */
export function faultCode(error: unknown): 'base.overloaded' | 'base.away' | 'base.broken' {
  if (isOverloaded(error)) return 'base.overloaded'
  return isUnavailable(error) ? 'base.away' : 'base.broken'
}

function refusalAnswer({ kind, values, others }: Refusal, language: Language): ErrorAnswer {
  const message = say(language, kind.code, values)
  const seconds = (kind.status === 429 || kind.status === 409) && 'seconds' in values ? Number(values.seconds) : null
  const retryAfter = seconds ?? kind.retryAfter
  const isAtField = kind.status === 422 || kind.status === 429 || kind.status === 409
  const error: Record<string, string> = { [kind.field]: message }
  for (const other of others) error[other.kind.field] ??= say(language, other.kind.code, other.values)
  return {
    status: kind.status,
    body: { ...(isAtField ? { error } : { message }), ...(seconds !== null && { seconds }) },
    headers: retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
    // A refusal with a retry time is deliberate.
    isOurFault: kind.status >= 500 && retryAfter === null,
  }
}

/** A query has no form fields to attach messages to, so the message names them. */
function queryErrors(error: z.ZodError, language: Language): ErrorAnswer {
  const names = Object.entries(messagesOf(error, language)).map(([name, message]) => (name ? `${name}: ${message}` : message))
  return messageAnswer(400, [say(language, 'base.invalid'), ...names].join(' '))
}

function fieldErrors(error: z.ZodError, language: Language): ErrorAnswer {
  return { status: 422, body: { error: messagesOf(error, language) }, headers: {}, isOurFault: false }
}

function messagesOf(error: z.ZodError, language: Language): Record<string, string> {
  const messages: Record<string, string> = Object.create(null)
  for (const issue of error.issues) {
    const name = fieldAt(issue.path)
    // Each of ten thousand items may be wrong; the first is enough.
    if (Object.hasOwn(messages, name)) continue
    const { key, values } = messageOf(issue)
    messages[name] = say(language, key, values)
  }
  return messages
}

function messageAnswer(status: number, message: string): ErrorAnswer {
  return { status, body: { message }, headers: {}, isOurFault: false }
}

// Refusals of the HTTP library: a body that is too large, of an unknown type, or broken.
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const status = Number(error.statusCode)
  return status >= 400 && status < 500 ? status : null
}
