import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'

/** Our client at a provider, and the provider's address. */
export type Client = { address: string | null; id: string; secret: string; isInApp: boolean }

/** The values that bind an answer to the browser that asked, and the redirect URI. */
export type LoginRequest = { state: string; nonce: string; verifier: string; redirectUri: string }

/** A person as the provider knows them: by its own lasting name for them, and by older names that it may have given before. */
export type Person = {
  subject: string
  formerSubject?: string
  name: string | null
  /** The reason why the display name is missing, for staff. */ flaw?: string
}

/** The protocol of one kind of provider. */
export type Provider = {
  authorizationUrl(client: Client, request: LoginRequest): Promise<URL>
  /**
   * The person, from the query of the redirect. Throws an error of its own where the person declined, and any other where the provider fails.
   */
  fetchPerson(client: Client, request: LoginRequest, answer: URLSearchParams): Promise<Person>
}

/** The person declined at the provider. */
export class PersonDeclined extends Error {
  override name = 'Refused'
}

/** The browser came back with an error. A visitor can forge one, so nothing is concluded from it. */
export class RedirectError extends Error {
  override name = 'SentBack'
}

/** The provider's answer is invalid. The message is for staff, and holds no secret. */
export class InvalidResponse extends Error {
  override name = 'Absurd'
}

/** The authorization code, where the redirect carries no error. */
export function codeIn(answer: URLSearchParams): string {
  const error = answer.get('error')
  // WeChat redirects a person who declines without a code.
  if (error === 'access_denied' || (!error && !answer.get('code'))) throw new PersonDeclined()
  if (error) throw new RedirectError(error)
  return answer.get('code') ?? ''
}

export function fieldsOf(status: number, text: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text)
    if (status === 200 && typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return { ...fields }
  } catch {
    // reported below
  }
  throw new InvalidResponse(`It answered ${status} and nothing that can be read`)
}

/** Requests JSON from a site's address. */
export async function requestJson(site: string, path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
  const url = new URL(path, site)
  url.search = new URLSearchParams(query).toString()
  const { status, text } = await fetchConfigured(url, { maxBytes: 100_000 })
  return fieldsOf(status, text)
}

export function textIn(fields: Record<string, unknown>, name: string): string {
  const text = fields[name]
  if (typeof text === 'string' && text !== '') return text
  const code = fields['errcode'] ?? fields['error']
  throw new InvalidResponse(`Its answer has no ${name}${code === undefined ? '' : `, but the error ${JSON.stringify(code).slice(0, 100)}`}`)
}

/** The same, where it may be missing. */
export function optionalTextIn(fields: Record<string, unknown>, name: string): string | null {
  const text = fields[name]
  return typeof text === 'string' && text !== '' ? text : null
}

/** The provider's lasting name for a person. */
export function subjectIn(fields: Record<string, unknown>, name: string): string {
  return assertSubject(textIn(fields, name), name)
}

const maxSubjectLength = 255
// At least one visible character, and none that text cannot hold.
const isReadable = /^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}]+$/u

/** Refuses a name that is blank, too long or unreadable: all people with that name would be one account. */
export function assertSubject(subject: string, called = 'name'): string {
  if (subject.length > maxSubjectLength || !isReadable.test(subject)) throw new InvalidResponse(`The ${called} in its answer names nobody`)
  return subject
}

/** The same, for applications that may have none. */
export function optionalSubjectIn(fields: Record<string, unknown>, name: string): string | null {
  return fields[name] === undefined || fields[name] === null || fields[name] === '' ? null : subjectIn(fields, name)
}

/** Requests an optional value, such as a display name; a failure does not stop the login. */
export async function optional(ask: () => Promise<Record<string, unknown>>): Promise<{ fields: Record<string, unknown>; flaw?: string }> {
  try {
    return { fields: await ask() }
  } catch (error) {
    return { fields: {}, flaw: reasonOf(error) }
  }
}

/** The reason of a failure, for staff. */
export function reasonOf(error: unknown): string {
  if (error instanceof InvalidResponse || error instanceof RequestFailed) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return (error instanceof Error ? `${error.message}${cause}` : String(error)).slice(0, 300)
}
