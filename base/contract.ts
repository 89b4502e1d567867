import { z } from 'zod'
import type { Bilingual } from '#base/both-languages.ts'
import { typedDigits } from '#base/typed-number.ts'

/** One call a client may make: its path, its input and output, and its expected errors. */
export type Endpoint<Path extends string = string, In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST'
  path: Path
  input: In
  output: Out
  errors: readonly RefusalKind[]
  /** One sentence for the API page. */
  summary: string
  /** The same bytes for everyone who may read them: no `_t`, an `ETag`, stored in the page cache. */
  shared: boolean
  /** The most restricted site state in which this is answered. Most reads are answered while the site is read-only, and few writes. */
  availableWhile: SiteState
  /** The answer issues the CSRF token that writes must echo, to a client that has none. */
  issuesCsrfToken?: true
  /** A write that is also open to members whose registration awaits approval. */
  allowedWhilePending?: true
  /** A write whose answer comes in pieces, as server-sent events; `output` is one of them. */
  streams?: true
}

export const siteStates = ['open', 'readOnly', 'closed'] as const
export type SiteState = (typeof siteStates)[number]

export type RawInput<E extends Endpoint> = z.input<E['input']>
export type ParsedInput<E extends Endpoint> = z.output<E['input']>
export type Output<E extends Endpoint> = z.output<E['output']>
/** The answer of a handler, whose times may be a `Date`, as the database gives them. */
export type Answer<E extends Endpoint> = z.input<E['output']>

type EndpointOptions<In, Out> = {
  summary: string
  input: In
  output: Out
  errors?: readonly RefusalKind[]
  shared?: boolean
  availableWhile?: SiteState
  issuesCsrfToken?: true
  allowedWhilePending?: true
}

export function read<const Path extends string, In extends z.ZodType, Out extends z.ZodType>(
  path: Path,
  options: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { method: 'GET', path, errors: [], shared: false, availableWhile: 'readOnly', ...options }
}

export function write<const Path extends string, In extends z.ZodType, Out extends z.ZodType>(
  path: Path,
  options: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { method: 'POST', path, errors: [], shared: false, availableWhile: 'open', ...options }
}

/** A write that is answered in pieces as they come. An immediate refusal has a status; a later one is the last event. */
export function stream<const Path extends string, In extends z.ZodType, Out extends z.ZodType>(
  path: Path,
  options: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { ...write(path, options), streams: true }
}

/** The API as pages and forms reach it: over HTTP in the browser, in process on the server. */
export type Api = {
  read<E extends Endpoint>(path: E['path'], input: RawInput<E>, options?: CallOptions): Promise<Output<E>>
  write<E extends Endpoint>(path: E['path'], input: RawInput<E>, options?: CallOptions): Promise<Output<E>>
}

export type CallOptions = {
  /** Leaves out `_t`, so that the browser and proxies may cache the answer. Only for endpoints that are `shared`. */
  shared?: boolean
  /** Shows no loading overlay, and no message on failure. */
  silent?: boolean
  /** A 404 is returned to the caller, which may redirect or ask for a login before it reports the error. */
  allows404?: boolean
  /** Started by the page and not by the person: an expired session does not send them to the login. */
  background?: boolean
  /** Made when a form opens and kept through retries, so that a repeated request takes effect once. */
  idempotencyKey?: string
  /** The caller itself sends it again while the server is busy. */
  sendsOnce?: boolean
  signal?: AbortSignal
  /** The request outlives the page, as with `fetch`. */
  keepalive?: boolean
}

export type RefusalKind = ((values?: RefusalValues) => Refusal) & {
  code: string
  status: number
  field: string
  /** Seconds until a retry makes sense; null where that is not known. */
  retryAfter: number | null
}
/** A value that is a text itself, by its code: it is worded in the language of the whole. */
export type TextCode = { readonly text: string }
/** A name that staff gave in both languages is said in the reader’s. */
export type RefusalValues = Record<string, string | number | TextCode | Bilingual>

/** An expected error that the person can understand and act on. Anything else that goes wrong is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly kind: RefusalKind
  readonly values: RefusalValues
  /** Further errors, at other fields. */
  readonly others: readonly Refusal[]
  constructor(kind: RefusalKind, values: RefusalValues, others: readonly Refusal[] = []) {
    super(kind.code)
    this.kind = kind
    this.values = values
    this.others = others
  }
}

/** Throws one error for all that are given; does nothing for an empty list. */
export function throwAll([first, ...others]: readonly Refusal[]): void {
  if (first) throw new Refusal(first.kind, first.values, others)
}

/**
 * Declares an expected error. The code is its key in `words/`, prefixed with the feature: `account.taken`.
 * It shows at the named form field, or as a message of the whole form.
 */
export function refusal(
  code: string,
  {
    status = 422,
    field = code.split('.')[0] ?? code,
    retryAfter = null,
  }: { status?: number; field?: string; retryAfter?: number | null } = {},
): RefusalKind {
  const kind: RefusalKind = Object.assign((values: RefusalValues = {}) => new Refusal(kind, values), { code, status, field, retryAfter })
  return kind
}

/** The same error at another field, such as `answer_7`. */
export function refusalAt(field: string, { code, status }: RefusalKind): RefusalKind {
  return refusal(code, { status, field })
}

/** The thing does not exist, or the viewer may not see it. */
export const Missing = refusal('base.missing', { status: 404 })
export const NotAllowed = refusal('base.notAllowed', { status: 403 })
/** More passwords wait to be hashed than the machine can hash in time. */
export const TooManyHashes = refusal('base.busy', { status: 503, retryAfter: 5 })

/** An id is an opaque string to clients; inside it is a positive 64-bit number. */
export const id = z.string().regex(/^[1-9]\d{0,17}$/)
/** An id that a person types. */
export const typedId = typedDigits.regex(/^[1-9]\d{0,17}$/)
export const page = z.number().int().min(1).max(1_000_000)
/** The keyset cursor of a list ordered by time, as given with the page before. */
export const cursor = z.string().regex(/^\d{1,17}\.\d{1,18}$/)
/** A time in an answer: a `Date` or its text on the server, and an ISO text for clients. */
export const time = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  z.iso.datetime(),
) as unknown as z.ZodType<string, string | Date>
export const nothing = z.object({})
