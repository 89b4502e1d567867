import { NotAllowed, refusal, type Answer, type Endpoint, type Output } from '#base/contract.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Language } from '#base/server/words.ts'
import type { z } from 'zod'

/** The rights of members, as keys. The feature that has them declares them here, by declaration merging. */
export interface RightNames {}
type RightName = keyof RightNames

/** The caller and their rights. A visitor has no id. */
export type Viewer = {
  readonly id: string | null
  /** Whether the viewer has the right, in this tag. Omit the tag for rights without one. */
  may(right: RightName, tagId?: string): boolean
  /** The tags in which the viewer has the right: all but these, or only these. */
  where(right: RightName): Scope
  /** Viewers of the same audience see the same public content. */
  readonly audience: string
  /** The staff account, for calls of the administration. */
  readonly staff?: StaffActor
  /** The official member that staff write as. */
  readonly isOfficial?: boolean
  /** Registered, but not yet approved by staff: reads as a visitor does. */
  readonly isAwaitingApproval?: boolean
  /** Current bans by staff. */
  readonly bans?: readonly Ban[]
}
export type Ban = { readonly from: string; /** Null for a permanent ban. */ readonly endsAt: string | null; readonly reason: string }
export type Member = Viewer & { readonly id: string; readonly sessionId: string }
/** A member of staff at work. Their posts appear under the official member they write as. */
export type Staff = Member & { readonly staff: StaffActor }
export type StaffActor = {
  readonly id: string
  readonly account: string
  readonly sessionId: string
  /** Has every right, including future ones. */
  readonly isAdministrator: boolean
  /** Without rights until a password or a second factor is set up. */
  readonly isSetupPending?: boolean
  /** Rights of staff, which are separate from those of members. */
  may(right: string): boolean
  /** The last time the password was shown. */
  readonly provedAt: Date
}
export type Scope = { except: readonly string[] } | { only: readonly string[] }

export const SignedOut = refusal('base.signedOut', { status: 401 })
export const StaffOnly = refusal('base.staffOnly', { status: 401 })
export const StaffSetupPending = refusal('base.staffOwes', { status: 403 })
/** Registrations need approval, and this one has none yet. */
export const NotApprovedYet = refusal('base.notLetInYet', { status: 403 })
export const SiteReadOnly = refusal('base.readOnly')
/** Worded by the site's own setting. */
export const SiteClosed = refusal('base.siteClosed', { status: 503, retryAfter: 3_600 })
export const ProofRequired = refusal('base.proveAgain', { status: 428 })

/** The origin of a request, as far as features may see it. */
export type ClientInfo = {
  origin: string
  ip: string
  /** The call comes from the machine of the server, to a site that no other machine reaches (`local-call.ts`). */
  isLocal: boolean
  language: Language
  userAgent: string
  authorization: string | undefined
  csrf: string
  /** The tokens of trusted devices. */ devices?: string
}

/** Sets an HttpOnly cookie with a secret: a staff session, or the trust in a device. Null deletes it. */
export type SetSecretCookie = (secret: string | null, what?: 'staff' | 'devices') => void

export type Upload = { bytes: Buffer; name: string; type: string }

export type RequestContext<In, Who, Prepared = undefined> = {
  /** Read-only for a GET; the request's one transaction for a POST. */
  db: Db
  viewer: Who
  input: In
  client: ClientInfo
  setSecretCookie: SetSecretCookie
  prepared: Prepared
}

export type PrepareContext<In, Who> = Omit<RequestContext<In, Who>, 'prepared' | 'setSecretCookie'> & {
  inSeparateTransaction: RunInSeparateTransaction
  upload: Upload | null
  /** The same for a repetition of the request, which must not begin its work a second time. */
  idempotencyKey: string | null
}
export type RunInSeparateTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>

export type Guard<Who extends Viewer = Viewer> = ((viewer: Viewer) => Who) & {
  /** The staff right it requires. */
  right?: string
  /** It may ask for the password again. */
  mayAskForPassword?: boolean
}

export function anyone(viewer: Viewer): Viewer {
  return viewer
}

export function members(viewer: Viewer): Member {
  if (!isMember(viewer)) throw SignedOut()
  return viewer
}

/**
 * Refuses members who await approval any write that a read-only site would refuse too, so that no handler has to check. A call about the
 * member's own account is exempted in its contract.
 */
export function assertApproved({ isAwaitingApproval }: Viewer, { method, availableWhile, allowedWhilePending }: Endpoint): void {
  if (isAwaitingApproval && method === 'POST' && availableWhile === 'open' && !allowedWhilePending) throw NotApprovedYet()
}

const proofMinutes = 10

/** Requires this staff right; with `proved`, also the password within the last ten minutes, or `within` minutes. */
export function staff(right: string, { proved = false, within = proofMinutes } = {}): Guard<Staff> {
  function guard(viewer: Viewer): Staff {
    const { staff: actor } = viewer
    if (!actor || !isMember(viewer)) throw StaffOnly()
    if (!actor.may(right)) throw actor.isSetupPending ? StaffSetupPending() : NotAllowed()
    if (proved) requireRecentProof(actor, within)
    return { ...viewer, staff: actor }
  }
  return Object.assign(guard, { right, mayAskForPassword: proved })
}

/** Refuses staff who have not shown their password within the last minutes: the browser asks for it and repeats the call. */
export function requireRecentProof({ provedAt }: StaffActor, minutes = proofMinutes): void {
  if (Date.now() - provedAt.getTime() > minutes * 60_000) throw ProofRequired()
}

export function isMember(viewer: Viewer): viewer is Member {
  return viewer.id !== null
}

/**
 * At most `times` in so many seconds, counted by address, by member, or by visitors' address. Without a limit of their own, visitors share
 * that of members, by address.
 */
export type Limit = {
  times: number
  seconds: number
  by: 'ip' | 'member' | 'visitor'
  /** False to count completed calls only, and not attempts. An attempt is a call that every limit admitted. */
  countsRefused?: boolean
}

/** Counts completed calls: a refused post is corrected and sent again, which no small limit should punish. Attempts have a larger one. */
export function atMost(...limits: readonly Pick<Limit, 'times' | 'seconds'>[]): Limit[] {
  return [{ times: 60, seconds: 60, by: 'member' }, ...limits.map((limit): Limit => ({ ...limit, by: 'member', countsRefused: false }))]
}

type RouteOptions<In, Who, Prepared> = {
  limits?: readonly Limit[]
  /**
   * Slow work that must not hold a transaction open, such as hashing. It may read; writes through `inSeparateTransaction` stay even if the
   * call is refused.
   */
  prepare?: (context: PrepareContext<In, Who>) => Promise<Prepared>
  /** `prepare` may run again for a repeated request, so its key needs no claim, which would be a round trip. */
  mayPrepareAgain?: boolean
  /** For `shared` reads: the cache tags of the answer. */
  cacheTags?: (input: In) => readonly string[]
  /** Called after a notification of something new, which a replica may not have yet. */
  fromPrimary?: boolean
  /** The work grows with the forum, so it has no statement timeout. For staff only: it may keep the database busy. */
  longRunning?: boolean
  /** The largest body in bytes, for calls with a file. */
  uploadBytes?: number
  /** An expired token counts as none here, instead of being refused. */
  allowsExpiredToken?: boolean
  /** The answer holds a secret and is not stored for repeated requests. */
  secret?: boolean
  /** A queue for calls made by many at once: they wait before their transactions begin, or are refused without one. */
  queue?: (ask: Pick<RequestContext<In, Who>, 'db' | 'viewer' | 'input'>, run: () => Promise<string>) => Promise<string>
  /**
   * Refuses requests without an `Idempotency-Key`, for calls that must never run twice, such as paying; a refusal is stored under the key
   * too. A function limits it to some inputs.
   */
  requiresIdempotencyKey?: boolean | ((input: In, db: Db) => boolean)
}

export type Route = RouteOptions<never, never, unknown> & {
  endpoint: Endpoint
  guard: Guard
  handler: (ask: never) => Promise<unknown>
}

/** The part of a route that the API page describes. */
export type DocumentedRoute = Pick<
  Route,
  'endpoint' | 'guard' | 'limits' | 'allowsExpiredToken' | 'uploadBytes' | 'requiresIdempotencyKey'
> & {
  /** The answer is a stream of events. */ isLive?: true
}

/** The result of a handler; one whose endpoint answers nothing returns nothing. */
type HandlerResult<E extends Endpoint> = Answer<E> | (Output<E> extends Record<string, never> ? void : never)

/** Binds an endpoint to its guard and its handler. */
export function route<E extends Endpoint, Who extends Viewer, Prepared = undefined>(
  endpoint: E,
  guard: Guard<Who>,
  handler: (context: RequestContext<z.output<E['input']>, Who, Prepared>) => Promise<HandlerResult<E>>,
  options: RouteOptions<z.output<E['input']>, Who, Prepared> = {},
): Route {
  return { endpoint, guard, handler, ...options }
}

export type StreamContext = {
  database: Database
  /** Aborts when the client disconnects or the server stops. */
  signal: AbortSignal
  /** The viewer with current rights. */
  viewerNow(): Promise<Viewer>
}

/** The rest of a streamed answer: runs after the transaction, until it ends or the signal aborts. */
export type StreamBody<Piece> = (context: StreamContext) => AsyncIterable<Piece>

/** Binds a streamed endpoint to its guard and a handler that begins the stream in one transaction. */
export function streamRoute<E extends Endpoint, Who extends Viewer>(
  endpoint: E,
  guard: Guard<Who>,
  begin: (context: RequestContext<z.output<E['input']>, Who>) => Promise<StreamBody<Output<E>>>,
  options: Pick<RouteOptions<z.output<E['input']>, Who, undefined>, 'limits'> = {},
): Route {
  return { endpoint, guard, handler: begin, ...options }
}
