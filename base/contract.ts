import { z } from 'zod'

/** One call a client may make: where it goes, what it takes, what it gives back, and how it may refuse. */
export type Endpoint<Path extends string = string, In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST'
  path: Path
  input: In
  output: Out
  errors: readonly RefusalKind[]
  /** One sentence for the API page. */
  summary: string
  /** The same bytes for everyone who may read them: no `_t`, an `ETag`, kept in the page cache. */
  shared: boolean
  /** How far the site may be closed and still answer this. Most reads are answered while it is read-only, and few writes. */
  availableWhile: SiteState
  /** It hands out the token that writes must echo, to whom holds none. */
  issuesCsrfToken?: true
  /** A write that is answered also to those who registered and whom staff have not let in yet. */
  allowedWhilePending?: true
  /** A write whose answer comes in pieces, as server-sent events; `gives` is one of them. */
  streams?: true
}

export const siteStates = ['open', 'readOnly', 'closed'] as const
export type SiteState = (typeof siteStates)[number]

export type RawInput<E extends Endpoint> = z.input<E['input']>
/** What a call takes, once checked. */
export type ParsedInput<E extends Endpoint> = z.output<E['input']>
export type Output<E extends Endpoint> = z.output<E['output']>

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
  terms: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { method: 'GET', path, errors: [], shared: false, availableWhile: 'readOnly', ...terms }
}

export function write<const Path extends string, In extends z.ZodType, Out extends z.ZodType>(
  path: Path,
  terms: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { method: 'POST', path, errors: [], shared: false, availableWhile: 'open', ...terms }
}

/** A write that is answered in pieces while they come. What is refused at once has a status; what is refused later is the last event. */
export function stream<const Path extends string, In extends z.ZodType, Out extends z.ZodType>(
  path: Path,
  terms: EndpointOptions<In, Out>,
): Endpoint<Path, In, Out> {
  return { ...write(path, terms), streams: true }
}

/** The way a page or a form reaches the API: over HTTP in the browser, in process on the server. */
export type Api = {
  read<E extends Endpoint>(path: E['path'], input: RawInput<E>, options?: CallOptions): Promise<Output<E>>
  write<E extends Endpoint>(path: E['path'], input: RawInput<E>, options?: CallOptions): Promise<Output<E>>
}

export type CallOptions = {
  /** Leaves out `_t`, so that the browser and proxies may keep the answer. Only for endpoints that are `shared`. */
  shared?: boolean
  /** Shows no loading overlay and no message when it fails. */
  silent?: boolean
  /** What is not there may be elsewhere, or not for these eyes: the caller looks first, and tells if so. */
  allows404?: boolean
  /** Asked for by the page and not by the person: a session that has ended does not send them to the login. */
  background?: boolean
  /** Made when a form opens and kept through replays, so that a deed sent twice is done once. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Is sent to its end though the page is left. */
  keepalive?: boolean
}

export type RefusalKind = ((values?: RefusalValues) => Refusal) & {
  code: string
  status: number
  field: string
  /** In how many seconds to come again; null where that is not known. */
  retryAfter: number | null
}
export type RefusalValues = Record<string, string | number>

/** An answer of "no" that the person can understand and act on. Anything else that goes wrong is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly kind: RefusalKind
  readonly values: RefusalValues
  /** What else was found wrong, at other fields. */
  readonly others: readonly Refusal[]
  constructor(kind: RefusalKind, values: RefusalValues, others: readonly Refusal[] = []) {
    super(kind.code)
    this.kind = kind
    this.values = values
    this.others = others
  }
}

/** Refuses for all that was found wrong at once; for nothing where nothing was. */
export function throwAll([first, ...others]: readonly Refusal[]): void {
  if (first) throw new Refusal(first.kind, first.values, others)
}

/**
 * Declares a refusal. The code is its key in `words/`, headed by the feature: `account.taken`.
 * It shows at the form field named, or as a message of the whole form.
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

/** The same refusal, at a field of its own: `answer_7`. */
export function refusalAt(field: string, { code, status }: RefusalKind): RefusalKind {
  return refusal(code, { status, field })
}

/** What a viewer may not see is missing too. */
export const Missing = refusal('base.missing', { status: 404 })
export const NotAllowed = refusal('base.notAllowed', { status: 403 })
/** More passwords wait to be hashed than the machine does in time. */
export const TooManyHashes = refusal('base.busy', { status: 503, retryAfter: 5 })

/** An id is an opaque string to clients; inside it is a positive 64-bit number. */
export const id = z.string().regex(/^[1-9]\d{0,17}$/)
export const page = z.number().int().min(1).max(1_000_000)
/** Where a list goes on that is ordered by time: as it was given with the page before. */
export const cursor = z.string().regex(/^\d{1,17}\.\d{1,18}$/)
export const nothing = z.object({})
