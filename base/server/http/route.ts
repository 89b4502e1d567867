import { NotAllowed, refusal, type Endpoint, type Output } from '#base/contract.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Language } from '#base/server/words.ts'
import type { z } from 'zod'

/** Who is asking, and what they may do. A visitor has no id. */
export type Viewer = {
  readonly id: string | null
  /** May they do this, there? Where a right has no place, leave the tag out. */
  may(right: string, tagId?: string): boolean
  /** Where they may do this: everywhere but in these tags, or in these tags only. */
  where(right: string): Scope
  /** Two viewers of the same class see the same public bodies. */
  readonly audience: string
  /** Who they are in the administration, where they come from there. */
  readonly staff?: StaffActor
  /** The member that staff speak as, in the forum. */
  readonly isOfficial?: boolean
  /** They registered, and staff have not let them in: they read as visitors do. */
  readonly isWaiting?: boolean
  /** What staff keep them from for now. */
  readonly bans?: readonly Ban[]
}
export type Ban = { readonly from: string; /** Null: for good. */ readonly endsAt: string | null; readonly reason: string }
export type Member = Viewer & { readonly id: string; readonly sessionId: string }
/** A member of staff at work. What they write is written by the official member they speak as. */
export type Staff = Member & { readonly staff: StaffActor }
export type StaffActor = {
  readonly id: string
  readonly account: string
  readonly sessionId: string
  /** Has every right there is, and will be. */
  readonly isAdministrator: boolean
  /** They have no right before they have chosen a password, or set up a second factor. */
  readonly isSetupPending?: boolean
  /** Rights of staff, which are apart from those of members. */
  may(right: string): boolean
  /** When they last showed that it is them, by password. */
  readonly provedAt: Date
}
export type Scope = { except: readonly string[] } | { only: readonly string[] }

export const SignedOut = refusal('base.signedOut', { status: 401 })
export const StaffOnly = refusal('base.staffOnly', { status: 401 })
export const StaffSetupPending = refusal('base.staffOwes', { status: 403 })
/** Staff look at everybody who registers, and have not let them in. */
export const NotApprovedYet = refusal('base.notLetInYet', { status: 403 })
export const SiteReadOnly = refusal('base.readOnly')
/** Said in the site's own words. */
export const SiteClosed = refusal('base.siteClosed', { status: 503, retryAfter: 3_600 })
export const ProofRequired = refusal('base.proveAgain', { status: 428 })

/** Where a request comes from, as far as features may know. */
export type ClientInfo = {
  origin: string
  ip: string
  language: Language
  userAgent: string
  authorization: string | undefined
  csrf: string
  /** What this browser shows so that it is trusted. */ devices?: string
}

/** Keeps a secret in the browser, where no script reads it: of a session of staff, or of trust in this device. Null takes it away. */
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
}
export type RunInSeparateTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>

export type Guard<Who extends Viewer = Viewer> = ((viewer: Viewer) => Who) & {
  /** The right of staff it asks for. */
  right?: string
  /** It may ask for the password once more. */
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
 * Refuses those who wait to be let in whatever a site that is read-only would not take either, so that no call has to ask. What is about their
 * own account alone says so in its contract.
 */
export function assertApproved({ isWaiting }: Viewer, { method, availableWhile, allowedWhilePending }: Endpoint): void {
  if (isWaiting && method === 'POST' && availableWhile === 'open' && !allowedWhilePending) throw NotApprovedYet()
}

const proofMinutes = 10

/** Staff who have this right; with `proved`, who also showed their password within the last ten minutes, or so many. */
export function staff(right: string, { proved = false, within = proofMinutes } = {}): Guard<Staff> {
  function guard(viewer: Viewer): Staff {
    const { staff: hand } = viewer
    if (!hand || !isMember(viewer)) throw StaffOnly()
    if (!hand.may(right)) throw hand.isSetupPending ? StaffSetupPending() : NotAllowed()
    if (proved) requireRecentProof(hand, within)
    return { ...viewer, staff: hand }
  }
  return Object.assign(guard, { right, mayAskForPassword: proved })
}

/** Refuses those who did not show their password within the last minutes: the call waits until they do. */
export function requireRecentProof({ provedAt }: StaffActor, minutes = proofMinutes): void {
  if (Date.now() - provedAt.getTime() > minutes * 60_000) throw ProofRequired()
}

export function isMember(viewer: Viewer): viewer is Member {
  return viewer.id !== null
}

/**
 * At most `times` in so many seconds: for each address; for each member; for each address that visitors come from.
 * Where visitors have no limit of their own, they share that of members, by address.
 */
export type Limit = {
  times: number
  seconds: number
  by: 'ip' | 'member' | 'visitor'
  /** False where only what was done counts, and not the tries. A try is a call that every limit let through. */
  countsRefused?: boolean
}

/** At most so many of these done: a post that was refused is mended and sent again, which no small limit should punish. The tries have a larger one. */
export function atMost(...limits: readonly Pick<Limit, 'times' | 'seconds'>[]): Limit[] {
  return [{ times: 60, seconds: 60, by: 'member' }, ...limits.map((limit): Limit => ({ ...limit, by: 'member', countsRefused: false }))]
}

type RouteOptions<In, Who, Prepared> = {
  limits?: readonly Limit[]
  /** Slow work that must not hold a transaction open, such as hashing; it may read, and what it writes `inSeparateTransaction` stays when the call is refused. */
  prepare?: (ask: PrepareContext<In, Who>) => Promise<Prepared>
  /** It may prepare again for a request that is repeated: its key needs no claim before, which is a trip of its own. */
  mayPrepareAgain?: boolean
  /** For `shared` reads: what the answer shows, so that it is dropped from the cache when one of these is invalidated. */
  cacheTags?: (input: In) => readonly string[]
  /** Asked for because somebody was told that there is something new: a replica may not have it yet. */
  fromPrimary?: boolean
  /** Its work grows with what the forum holds, so no statement of it is ended for taking long. For staff alone: it may keep the database busy. */
  longRunning?: boolean
  /** The largest body in bytes, where one file is sent along. */
  uploadBytes?: number
  /** A token that is out of date counts as none here, instead of being refused. */
  allowsExpiredToken?: boolean
  /** The answer carries a secret, so it is not kept for a repeated request. */
  secret?: boolean
  /** A queue for a call that many make at once: they wait before their transactions begin, or are refused without one. */
  queue?: (ask: Pick<RequestContext<In, Who>, 'db' | 'viewer' | 'input'>, run: () => Promise<string>) => Promise<string>
  /** Refuses who sends no `Idempotency-Key`. For what must never happen twice, such as paying: what was refused stays refused under its key. Where only some input is so, it says which. */
  requiresIdempotencyKey?: boolean | ((input: In) => boolean)
}

export type Route = RouteOptions<never, never, unknown> & {
  endpoint: Endpoint
  guard: Guard
  handler: (ask: never) => Promise<unknown>
}

/** What the API page says of a call. */
export type DocumentedRoute = Pick<
  Route,
  'endpoint' | 'guard' | 'limits' | 'allowsExpiredToken' | 'uploadBytes' | 'requiresIdempotencyKey'
> & {
  /** It goes on as a stream of events. */ isLive?: true
}

/** Binds a call of the contract to who may make it and the function that answers it. */
export function route<E extends Endpoint, Who extends Viewer, Prepared = undefined>(
  endpoint: E,
  guard: Guard<Who>,
  handler: (context: RequestContext<z.output<E['input']>, Who, Prepared>) => Promise<Output<E>>,
  options: RouteOptions<z.output<E['input']>, Who, Prepared> = {},
): Route {
  return { endpoint, guard, handler, ...options }
}

export type Streaming = {
  database: Database
  /** Aborts when the reader leaves or the server stops. */
  signal: AbortSignal
  /** The viewer who asked, with their rights at this moment. */
  viewerNow(): Promise<Viewer>
}

/** The rest of a streamed answer: runs after the transaction, until it is done or the signal aborts. */
export type StreamedPieces<Piece> = (around: Streaming) => AsyncIterable<Piece>

/** Binds a streamed call to who may make it and the function that begins it in one transaction. */
export function streamRoute<E extends Endpoint, Who extends Viewer>(
  endpoint: E,
  guard: Guard<Who>,
  begin: (ask: RequestContext<z.output<E['input']>, Who>) => Promise<StreamedPieces<Output<E>>>,
  options: Pick<RouteOptions<z.output<E['input']>, Who, undefined>, 'limits'> = {},
): Route {
  return { endpoint, guard, handler: begin, ...options }
}
