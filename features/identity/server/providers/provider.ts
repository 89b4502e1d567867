import { askNamed, NoAnswer } from '#base/server/outbound/safe-fetch.ts'

/** Who we are to a provider, and where it is. */
export type Client = { address: string | null; id: string; secret: string; isInApp: boolean }

/** What binds an answer to the browser that asked, and where the provider sends it. */
export type Way = { state: string; nonce: string; verifier: string; redirectUri: string }

/** Whom the provider knows: by its own lasting name for them, and by older ones that it may have told before. */
export type Person = {
  subject: string
  formerly?: string
  name: string | null
  /** Why the name could not be had, for staff. */ flaw?: string
}

/** How one kind of provider is spoken to. */
export type Provider = {
  /** Where the browser goes. */
  leadTo(client: Client, way: Way): Promise<URL>
  /** Who it is, from what the browser brought back. Throws `Refused` where the person said no, and anything else where the provider fails. */
  find(client: Client, way: Way, answer: URLSearchParams): Promise<Person>
}

/** The person said no at the provider. */
export class Refused extends Error {
  override name = 'Refused'
}

/** The browser came back with an error. Whoever has the browser can write one, so nothing is concluded from it. */
export class SentBack extends Error {
  override name = 'SentBack'
}

/** The provider answered what cannot be. Its message is for staff, and holds no secret. */
export class Absurd extends Error {
  override name = 'Absurd'
}

/** The code that the browser brought, where nothing else went wrong. */
export function codeIn(answer: URLSearchParams): string {
  const error = answer.get('error')
  // WeChat sends whoever says no back without a code.
  if (error === 'access_denied' || (!error && !answer.get('code'))) throw new Refused()
  if (error) throw new SentBack(error)
  return answer.get('code') ?? ''
}

/** The fields of an answer in JSON. */
export function fieldsOf(status: number, text: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text)
    if (status === 200 && typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return { ...fields }
  } catch {
    // said below
  }
  throw new Absurd(`It answered ${status} and nothing that can be read`)
}

/** What a site says at this address, in JSON. */
export async function ask(site: string, path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
  const asked = new URL(path, site)
  asked.search = new URLSearchParams(query).toString()
  const { status, text } = await askNamed(asked, { mostBytes: 100_000 })
  return fieldsOf(status, text)
}

export function textIn(fields: Record<string, unknown>, name: string): string {
  const text = fields[name]
  if (typeof text === 'string' && text !== '') return text
  const code = fields['errcode'] ?? fields['error']
  throw new Absurd(`Its answer has no ${name}${code === undefined ? '' : `, but the error ${JSON.stringify(code).slice(0, 100)}`}`)
}

/** The same, where it may be missing. */
export function maybeIn(fields: Record<string, unknown>, name: string): string | null {
  const text = fields[name]
  return typeof text === 'string' && text !== '' ? text : null
}

/** The lasting name that the provider has for somebody. */
export function subjectIn(fields: Record<string, unknown>, name: string): string {
  return mustBeName(textIn(fields, name), name)
}

const longestSubject = 255
// Something to be seen, and nothing that no text holds.
const isReadable = /^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}]+$/u

/** Refuses a name that is blank, too long or unreadable: it is nobody’s, and all who came with it would be one person. */
export function mustBeName(subject: string, called = 'name'): string {
  if (subject.length > longestSubject || !isReadable.test(subject)) throw new Absurd(`The ${called} in its answer names nobody`)
  return subject
}

/** The same, of applications that may have none. */
export function maybeSubjectIn(fields: Record<string, unknown>, name: string): string | null {
  return fields[name] === undefined || fields[name] === null || fields[name] === '' ? null : subjectIn(fields, name)
}

/** Asks for what is an extra, such as a name: where that fails, the rest goes on without it. */
export async function extra(ask: () => Promise<Record<string, unknown>>): Promise<{ fields: Record<string, unknown>; flaw?: string }> {
  try {
    return { fields: await ask() }
  } catch (error) {
    return { fields: {}, flaw: reasonOf(error) }
  }
}

/** What staff are told of a failure. */
export function reasonOf(error: unknown): string {
  if (error instanceof Absurd || error instanceof NoAnswer) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return (error instanceof Error ? `${error.message}${cause}` : String(error)).slice(0, 300)
}
