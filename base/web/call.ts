import '#base/web/no-eval.ts'
import type { CallOptions } from '#base/contract.ts'
import { headerOf } from '#base/language.ts'
import { newTerms } from '#base/web/ask.ts'
import type { BrowserApi, CallPort, SendOptions } from '#base/web/api.ts'
import { fieldErrorsIn, fieldsOf, formWith, secondsIn } from '#base/web/fields.ts'
import { idlePart, later } from '#base/web/later.ts'
import { forget, isInBackground, leaveRefused, leaveToLogin } from '#base/web/leave.ts'
import { requestBegins } from '#base/web/loading.tsx'
import { renewalBy, type Refreshed, type Renewal, type Renewed } from '#base/web/renew.ts'
import { NoAnswer, send, type Heard } from '#base/web/send.ts'
import { storedPair, writeToken, type Pair } from '#base/web/token.ts'

const refreshPath = '/refreshToken'
/** This call issues the CSRF token. A second token would replace the first, and invalidate whatever was begun with it. */
const baseInfoPath = '/baseInfo'
let handing: Promise<void> | null = null

/** A call that failed. The person has been told, unless the call was silent or the form shows the failure. Status 0: no answer. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly status: number
  /** Several calls may fail for one reason, which is reported once. */
  isTold = false
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The refresh was refused: the session on this device is over. */
class SessionOver extends CallFailed {
  /** Whether a waiting call has already redirected to the login. */
  hasLeft = false
}

/** The errors of a form, by field. */
export class FieldErrors extends CallFailed {
  override name = 'FieldErrors'
  readonly fields: Record<string, string>
  /** Seconds to wait; null where waiting does not help. */
  readonly seconds: number | null
  constructor(status: number, fields: Record<string, string>, seconds: number | null) {
    super(status, Object.values(fields).join(' '))
    this.fields = fields
    this.seconds = seconds
  }
}

type Caller = { port: CallPort; renewal: Renewal }

/** The API over HTTP, exactly as sections 7 and 8 of the specification have it. */
export function browserApi(port: CallPort): BrowserApi {
  const caller = { port, renewal: renewalBy((present) => refresh(port, present), port.renewed) }
  return apiBy(port, async (wanted) => {
    if (wanted.path === refreshPath) return caller.renewal.ask().catch((error: unknown) => leave(port, wanted, error))
    return answerIn(port, await answered(caller, wanted))
  })
}

/** The API on top of `ask`, which sends a call and returns its answer. Failures are reported here, once. */
export function apiBy(port: CallPort, ask: (wanted: SendOptions) => Promise<unknown>): BrowserApi {
  async function call<Answer>(wanted: SendOptions): Promise<Answer> {
    const end = wanted.options.silent ? () => undefined : requestBegins()
    try {
      return (await ask(wanted)) as Answer
    } catch (error) {
      if (error instanceof CallFailed) tell(port, wanted, error)
      throw error
    } finally {
      end()
    }
  }

  return {
    read: (path, input, options = {}) => call({ method: 'GET', path, query: queryOf(input, options), options }),
    write: (path, input, options = {}) => call({ method: 'POST', path, body: fieldsOf(input), options }),
    subscribe: (path, input, subscription) =>
      call({ method: 'GET', path, query: fieldsOf(input), options: { silent: true, background: true, subscription } }),
    stream(path, input, { idempotencyKey, ...reader }) {
      const options = { silent: true, reader, ...(idempotencyKey && { idempotencyKey }) }
      return call({ method: 'POST', path, body: fieldsOf(input), options })
    },
    upload: (path, file, fields, options = {}) => call({ method: 'POST', path, body: formWith(file, fields), options }),
  }
}

/** The server's response. A call that requires re-authentication waits for it and is sent again. */
async function answered(caller: Caller, wanted: SendOptions): Promise<Heard> {
  for (;;) {
    const heard = await tried(caller, wanted)
    if (heard.status !== 428) return succeeded(caller.port, wanted, heard)
    if (isInBackground(wanted) || !(await caller.port.prove?.())) throw new CallFailed(heard.status, '')
  }
}

/** The response, after a token refresh if needed. */
async function tried({ port, renewal }: Caller, wanted: SendOptions): Promise<Heard> {
  if (addressOf(port, wanted).includes('/thread')) port.topicDetailPermission(true)
  const used = storedPair()
  const first = await attempt(port, wanted, used)
  if (first.status !== 401) return first

  const renewed = await renewal.after(used).catch((error: unknown) => leave(port, wanted, error))
  const again = renewed.pair && (await attempt(port, wanted, renewed.pair))
  if (!again || again.status === 401) throw signedOut(port, wanted, renewed)
  return again
}

/** Redirects to the login when the session is over: once, however many calls wait. */
function leave(port: CallPort, wanted: SendOptions, error: unknown): never {
  if (error instanceof SessionOver && !error.hasLeft && !isInBackground(wanted)) {
    error.hasLeft = true
    leaveRefused(port)
    tell(port, { ...wanted, options: {} }, error)
  }
  throw error
}

/** One attempt, with its raw response. */
export async function attempt(port: CallPort, wanted: SendOptions, pair: Pair | null): Promise<Heard> {
  const { method, body, options } = wanted
  // The first call of each page issues the CSRF token. A write sent before it arrives would be rejected as forged.
  if (method === 'POST' && writeToken() === null) await (handing ?? attempt(port, { method: 'GET', path: baseInfoPath, options: {} }, null))
  const sent = {
    method,
    address: addressOf(port, wanted),
    headers: headersOf(port, pair, options),
    ...(body && { body }),
    keepalive: options.keepalive ?? false,
  }
  try {
    if (options.onProgress)
      return await (await part(later(import('#base/web/send-file.ts')))).sendWithProgress(sent, options.onProgress, options.signal)
    if (options.subscription) return await (await part(idlePart(import('#base/web/live.ts')))).subscribe(sent, options.subscription)
    if (options.reader) return await (await part(idlePart(import('#base/web/live.ts')))).readPieces(sent, options.reader)
    const answer = send(sent, options.signal)
    if (wanted.path === baseInfoPath) handing = answer.then(handed, handed)
    return await answer
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new CallFailed(0, port.words(error.isLate ? 'late' : 'offline'))
  }
}

function handed(): void {
  handing = null
}

async function part<Part>(coming: Promise<Part>): Promise<Part> {
  try {
    return await coming
  } catch {
    throw new NoAnswer(false) // the module that sends could not be loaded either
  }
}

function addressOf(port: CallPort, { path, query }: SendOptions): string {
  return query?.size ? `${port.apiUrl()}${path}?${query}` : `${port.apiUrl()}${path}`
}

function headersOf(port: CallPort, pair: Pair | null, { idempotencyKey }: CallOptions): Record<string, string> {
  const token = writeToken()
  return {
    'X-Requested-With': 'XMLHttpRequest',
    'Accept-Language': headerOf(port.language()),
    ...(pair && { Authorization: `Bearer ${pair.accessToken},${pair.refreshToken}` }),
    ...(token && { 'BBS-XSRF-TOKEN': token }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  }
}

function queryOf(input: unknown, { shared }: CallOptions): URLSearchParams {
  const query = fieldsOf(input)
  if (!shared) query.set('_t', String(Date.now()))
  return query
}

/** Makes the refresh call. A refusal means that the session on this device is over. */
async function refresh(port: CallPort, present: Pair): Promise<Refreshed> {
  const wanted: SendOptions = { method: 'POST', path: refreshPath, body: new URLSearchParams(), options: {} }
  const heard = await attempt(port, wanted, present)
  if (heard.status === 200) return answerIn(port, heard) as Refreshed
  // An unavailable or busy site has not ended the session.
  if ([429, 502, 503, 504].includes(heard.status)) throw failure(port, wanted, heard)
  forget(port)
  throw new SessionOver(heard.status, port.words('refreshFailed'))
}

function signedOut(port: CallPort, wanted: SendOptions, renewed: Renewed): CallFailed {
  forget(port)
  if (!isInBackground(wanted) && !renewed.hasLeft) {
    renewed.hasLeft = true
    leaveToLogin(port, wanted)
  }
  return new CallFailed(401, '')
}

export function answerIn(port: CallPort, { status, text }: Heard): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CallFailed(status, port.words('other', { status }))
  }
}

/** Throws the matching error unless the response is a success. */
export function succeeded(port: CallPort, wanted: SendOptions, heard: Heard): Heard {
  if (heard.status >= 200 && heard.status < 300) return heard
  throw failure(port, wanted, heard)
}

/** All rows of the specification's section 8 about a response, as errors. */
function failure(port: CallPort, wanted: SendOptions, { status, text }: Heard): CallFailed {
  const fields = status < 500 && fieldErrorsIn(text)
  if (fields && Object.hasOwn(fields, 'newTerms')) newTerms.set(true)
  // The caller of a silent call reports the error itself.
  if (fields)
    return wanted.method === 'POST' || wanted.options.silent
      ? new FieldErrors(status, fields, secondsIn(text))
      : new CallFailed(status, Object.values(fields).join(' '))
  if (status === 403 && addressOf(port, wanted).includes('/thread')) {
    port.topicDetailPermission(false)
    return new CallFailed(status, '')
  }
  if (status === 508) {
    localStorage.clear()
    port.signedOut()
    return new CallFailed(status, '')
  }
  if (status === 503) return new CallFailed(status, text)
  const isListed = [400, 403, 404, 500].includes(status)
  return new CallFailed(status, isListed ? port.words(String(status), { url: wanted.path }) : port.words('other', { status }))
}

function tell(port: CallPort, { options }: SendOptions, failure: CallFailed): void {
  if (options.silent || failure.isTold || failure instanceof FieldErrors || !failure.message) return
  if (options.allows404 && (failure.status === 404 || failure.status === 403)) return
  failure.isTold = true
  if (failure.status === 503) port.notice(port.words('noticeTitle'), failure.message)
  else port.say(failure.message, { isPersistent: failure.status === 400 })
}
