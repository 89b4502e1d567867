import '#base/web/no-eval.ts'
import type { CallOptions } from '#base/contract.ts'
import { languageTag } from '#base/language.ts'
import { termsChanged } from '#base/web/dialogs.ts'
import type { BrowserApi, CallPort, SendOptions } from '#base/web/api.ts'
import { parseFieldErrors, toFormFields, multipartForm, parseRetrySeconds } from '#base/web/fields.ts'
import { idlePart, later } from '#base/web/lazy-part.ts'
import { clearSession, isInBackground, redirectAfterRefusal, redirectToLogin } from '#base/web/login-redirect.ts'
import { beginRequest } from '#base/web/loading.tsx'
import { createRenewal, type RefreshAnswer, type TokenRenewal, type RenewalResult } from '#base/web/renew.ts'
import { secondsUntilBegun, sendUntilBegun } from '#base/web/send-again.ts'
import { NoResponse, send, type HttpResponse } from '#base/web/send.ts'
import { storedPair, csrfToken, type TokenPair } from '#base/web/token.ts'

const refreshPath = '/refreshToken'
/** This call issues the CSRF token. A second token would replace the first, and invalidate whatever was begun with it. */
const baseInfoPath = '/baseInfo'
let tokenRequest: Promise<void> | null = null

/** A call that failed. The person has been told, unless the call was silent or the form shows the failure. Status 0: no answer. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly status: number
  /** Several calls may fail for one reason, which is reported once. */
  isReported = false
  /** Seconds after which it may be sent again; null where waiting does not help, or a person decides. */
  readonly seconds: number | null
  constructor(status: number, message: string, seconds: number | null = null) {
    super(message)
    this.status = status
    this.seconds = seconds
  }
}

/** The answer did not come within 20 seconds: the server may be at work still. */
export class CallLate extends CallFailed {}

/** The refresh was refused: the session on this device is over. */
class SessionExpired extends CallFailed {
  /** Whether a waiting call has already redirected to the login. */
  hasRedirected = false
}

/** The errors of a form, by field. */
export class FieldErrors extends CallFailed {
  override name = 'FieldErrors'
  readonly fields: Record<string, string>
  constructor(status: number, fields: Record<string, string>, seconds: number | null) {
    super(status, Object.values(fields).join(' '), seconds)
    this.fields = fields
  }
}

type CallContext = { port: CallPort; renewal: TokenRenewal }

/** The API over HTTP, exactly as sections 7 and 8 of the specification have it. */
export function browserApi(port: CallPort): BrowserApi {
  const caller = { port, renewal: createRenewal((present) => refresh(port, present), port.onRenewed) }
  return createApi(port, async (request) => {
    if (request.path === refreshPath) return caller.renewal.refresh().catch((error: unknown) => redirectOnExpiry(port, request, error))
    return parseAnswer(port, await sendWithReauth(caller, request))
  })
}

/** The API on top of `ask`, which sends a call and returns its answer. Failures are reported here, once. */
export function createApi(port: CallPort, ask: (request: SendOptions) => Promise<unknown>): BrowserApi {
  async function call<Answer>(request: SendOptions): Promise<Answer> {
    const end = request.options.silent ? () => undefined : beginRequest()
    try {
      return (await ask(request)) as Answer
    } catch (error) {
      if (error instanceof CallFailed) report(port, request, error)
      throw error
    } finally {
      end()
    }
  }

  return {
    read: (path, input, options = {}) => call({ method: 'GET', path, query: queryOf(input, options), options }),
    write: (path, input, options = {}) => call({ method: 'POST', path, body: toFormFields(input), options }),
    subscribe: (path, input, subscription) =>
      call({ method: 'GET', path, query: toFormFields(input), options: { silent: true, background: true, subscription } }),
    stream(path, input, { idempotencyKey, ...reader }) {
      const options = { silent: true, reader, ...(idempotencyKey && { idempotencyKey }) }
      return call({ method: 'POST', path, body: toFormFields(input), options })
    },
    upload: (path, file, fields, options = {}) => call({ method: 'POST', path, body: multipartForm(file, fields), options }),
  }
}

/** The server's response. A call that requires re-authentication waits for it and is sent again. */
async function sendWithReauth(caller: CallContext, request: SendOptions): Promise<HttpResponse> {
  for (;;) {
    const answer = await sendWithRefresh(caller, request)
    if (answer.status !== 428) return assertSuccess(caller.port, request, answer)
    if (isInBackground(request) || !(await caller.port.reauthenticate?.())) throw new CallFailed(answer.status, '')
  }
}

/** The response, after a token refresh if needed. */
async function sendWithRefresh({ port, renewal }: CallContext, request: SendOptions): Promise<HttpResponse> {
  if (addressOf(port, request).includes('/thread')) port.onTopicPermission(true)
  const used = storedPair()
  const first = await sendOnce(port, request, used)
  if (first.status !== 401) return first

  const renewed = await renewal.after(used).catch((error: unknown) => redirectOnExpiry(port, request, error))
  const again = renewed.pair && (await sendOnce(port, request, renewed.pair))
  if (!again || again.status === 401) throw signedOut(port, request, renewed)
  return again
}

/** Redirects to the login when the session is over: once, however many calls wait. */
function redirectOnExpiry(port: CallPort, request: SendOptions, error: unknown): never {
  if (error instanceof SessionExpired && !error.hasRedirected && !isInBackground(request)) {
    error.hasRedirected = true
    redirectAfterRefusal(port)
    report(port, { ...request, options: {} }, error)
  }
  throw error
}

/** One call, with its raw response. */
export async function sendOnce(port: CallPort, request: SendOptions, pair: TokenPair | null): Promise<HttpResponse> {
  const { method, body, options } = request
  // The first call of each page issues the CSRF token. A write sent before it arrives would be rejected as forged.
  if (method === 'POST' && csrfToken() === null)
    await (tokenRequest ?? sendOnce(port, { method: 'GET', path: baseInfoPath, options: {} }, null))
  const httpRequest = {
    method,
    address: addressOf(port, request),
    headers: headersOf(port, pair, options),
    ...(body && { body }),
    keepalive: options.keepalive ?? false,
  }
  try {
    const { onProgress, signal, subscription, reader } = options
    if (onProgress) {
      const { sendWithProgress } = await loadSender(later(import('#base/web/send-file.ts')))
      return await sendUntilBegun(request, () => sendWithProgress(httpRequest, onProgress, signal))
    }
    if (subscription) return await (await loadSender(idlePart(import('#base/web/live.ts')))).subscribe(httpRequest, subscription)
    if (reader) return await (await loadSender(idlePart(import('#base/web/live.ts')))).readPieces(httpRequest, reader)
    const answer = sendUntilBegun(request, () => send(httpRequest, signal))
    if (request.path === baseInfoPath) tokenRequest = answer.then(onTokenIssued, onTokenIssued)
    return await answer
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    throw error.isLate ? new CallLate(0, port.translate('late')) : new CallFailed(0, port.translate('offline'))
  }
}

function onTokenIssued(): void {
  tokenRequest = null
}

async function loadSender<Part>(module: Promise<Part>): Promise<Part> {
  try {
    return await module
  } catch {
    throw new NoResponse(false) // the module that sends could not be loaded either
  }
}

function addressOf(port: CallPort, { path, query }: SendOptions): string {
  return query?.size ? `${port.apiUrl()}${path}?${query}` : `${port.apiUrl()}${path}`
}

function headersOf(port: CallPort, pair: TokenPair | null, { idempotencyKey }: CallOptions): Record<string, string> {
  const token = csrfToken()
  return {
    'X-Requested-With': 'XMLHttpRequest',
    'Accept-Language': languageTag(port.language()),
    ...(pair && { Authorization: `Bearer ${pair.accessToken},${pair.refreshToken}` }),
    ...(token && { 'BBS-XSRF-TOKEN': token }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  }
}

function queryOf(input: unknown, { shared }: CallOptions): URLSearchParams {
  const query = toFormFields(input)
  if (!shared) query.set('_t', String(Date.now()))
  return query
}

/** Makes the refresh call. A refusal means that the session on this device is over. */
async function refresh(port: CallPort, present: TokenPair): Promise<RefreshAnswer> {
  const request: SendOptions = { method: 'POST', path: refreshPath, body: new URLSearchParams(), options: {} }
  const answer = await sendOnce(port, request, present)
  if (answer.status === 200) return parseAnswer(port, answer) as RefreshAnswer
  // An unavailable or busy site has not ended the session.
  if ([429, 502, 503, 504].includes(answer.status)) throw toError(port, request, answer)
  clearSession(port)
  throw new SessionExpired(answer.status, port.translate('refreshFailed'))
}

function signedOut(port: CallPort, request: SendOptions, renewed: RenewalResult): CallFailed {
  clearSession(port)
  if (!isInBackground(request) && !renewed.hasRedirected) {
    renewed.hasRedirected = true
    redirectToLogin(port, request)
  }
  return new CallFailed(401, '')
}

export function parseAnswer(port: CallPort, { status, text }: HttpResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CallFailed(status, port.translate('other', { status }))
  }
}

/** Throws the matching error unless the response is a success. */
export function assertSuccess(port: CallPort, request: SendOptions, answer: HttpResponse): HttpResponse {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw toError(port, request, answer)
}

/** All rows of the specification's section 8 about a response, as errors. */
function toError(port: CallPort, request: SendOptions, { status, text, retryAfter }: HttpResponse): CallFailed {
  const fields = status < 500 && parseFieldErrors(text)
  if (fields && Object.hasOwn(fields, 'newTerms')) termsChanged.set(true)
  // The caller of a silent call reports the error itself.
  if (fields)
    return request.method === 'POST' || request.options.silent
      ? new FieldErrors(status, fields, parseRetrySeconds(text))
      : new CallFailed(status, Object.values(fields).join(' '))
  if (status === 403 && addressOf(port, request).includes('/thread')) {
    port.onTopicPermission(false)
    return new CallFailed(status, '')
  }
  if (status === 508) {
    localStorage.clear()
    port.onSignedOut()
    return new CallFailed(status, '')
  }
  if (status === 503) return new CallFailed(status, text, secondsUntilBegun({ status, retryAfter }))
  const isListed = [400, 403, 404, 500].includes(status)
  return new CallFailed(status, isListed ? port.translate(String(status), { url: request.path }) : port.translate('other', { status }))
}

function report(port: CallPort, { options }: SendOptions, failure: CallFailed): void {
  if (options.silent || failure.isReported || failure instanceof FieldErrors || !failure.message) return
  if (options.allows404 && (failure.status === 404 || failure.status === 403)) return
  failure.isReported = true
  if (failure.status === 503) port.showNotice(port.translate('noticeTitle'), failure.message)
  else port.toast(failure.message, { isPersistent: failure.status === 400 })
}
