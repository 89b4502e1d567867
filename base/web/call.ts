import type { Api, CallOptions } from '#base/contract.ts'
import { headerOf, type LanguageCode } from '#base/language.ts'
import { encodeReturnPath } from '#base/return-path.ts'
import { requestBegins } from '#base/web/loading.tsx'
import { removePair, storedPair, storePair, type Pair } from '#base/web/token.ts'

const timeoutMs = 20_000
/** Asked for by every page in the background; it must not send a reader away. */
const unreadCountPath = '/user/control/unreadMessageCount'

/** What the page does for a call: go somewhere, say something, know who is here. */
export type CallPort = {
  apiUrl(): string
  language(): LanguageCode
  here(): string
  navigate(to: string, options: { replace: boolean }): void
  /** A message; a persistent one stays until it is closed. */
  say(text: string, options?: { isPersistent?: boolean }): void
  notice(title: string, text: string): void
  words(key: string, values?: Record<string, string | number>): string
  topicDetailPermission(isAllowed: boolean): void
  signedOut(): void
  renewed(systemUser: unknown): void
}

/** A call that did not succeed. The person has been told, unless the call was silent or the failure is a form's to show. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What the server found wrong with a form, by field. */
export class FieldErrors extends CallFailed {
  override name = 'FieldErrors'
  readonly fields: Record<string, string>
  constructor(status: number, fields: Record<string, string>) {
    super(status, Object.values(fields).join(' '))
    this.fields = fields
  }
}

type Wanted = { method: 'GET' | 'POST'; path: string; body?: URLSearchParams | FormData; query?: URLSearchParams; options: CallOptions }

/** The API over HTTP, exactly as sections 7 and 8 of the specification have it. */
export function browserApi(port: CallPort): Api {
  let refreshing: Promise<Pair | null> | null = null

  async function call(wanted: Wanted): Promise<unknown> {
    const end = wanted.options.silent ? () => undefined : requestBegins()
    try {
      return await attempt(wanted)
    } finally {
      end()
    }
  }

  async function attempt(wanted: Wanted): Promise<unknown> {
    if (wanted.path.includes('/thread')) port.topicDetailPermission(true)
    const used = storedPair()
    const response = await send(wanted, used)
    if (response.status !== 401) return outcome(wanted, response)
    const renewed = await renew(used, wanted)
    if (!renewed) throw leaveToLogin(wanted)
    const again = await send(wanted, renewed)
    if (again.status === 401) throw leaveToLogin(wanted)
    return outcome(wanted, again)
  }

  async function send({ method, path, body, query, options }: Wanted, pair: Pair | null): Promise<Response> {
    const address = query?.size ? `${port.apiUrl()}${path}?${query}` : `${port.apiUrl()}${path}`
    const headers = headersOf(pair, method === 'POST', options.idempotencyKey)
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
    try {
      return await fetch(address, { method, headers, signal, credentials: 'same-origin', ...(body && { body }) })
    } catch (error) {
      if (options.signal?.aborted) throw error
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw told(new CallFailed(0, port.words(isLate ? 'late' : 'offline')), options)
    }
  }

  function headersOf(pair: Pair | null, isWrite: boolean, key: string | undefined): Record<string, string> {
    const token = /(?:^|;\s*)cms_token=([^;]+)/.exec(document.cookie)?.[1]
    return {
      'X-Requested-With': 'XMLHttpRequest',
      'Accept-Language': headerOf(port.language()),
      ...(pair && { Authorization: `Bearer ${pair.accessToken},${pair.refreshToken}` }),
      ...(isWrite && token && { 'BBS-XSRF-TOKEN': token }),
      ...(key && { 'Idempotency-Key': key }),
    }
  }

  /** One refresh for all who wait, in this tab and the others. Null when no pair came back. */
  function renew(used: Pair | null, { path }: Wanted): Promise<Pair | null> {
    if (path === '/refreshToken') return Promise.resolve(null)
    refreshing ??= inOneTab(() => refreshOnce(used)).finally(() => {
      refreshing = null
    })
    return refreshing
  }

  async function refreshOnce(used: Pair | null): Promise<Pair | null> {
    const present = storedPair()
    if (present && present.refreshToken !== used?.refreshToken) return present
    if (!present) return null
    const response = await send({ method: 'POST', path: '/refreshToken', body: new URLSearchParams(), options: { silent: true } }, present)
    if (!response.ok) throw refreshFailed(response.status)
    const { accessToken, refreshToken, systemUser } = await response.json()
    if (!accessToken || !refreshToken) return null
    storePair({ accessToken, refreshToken })
    port.renewed(systemUser)
    return { accessToken, refreshToken }
  }

  function refreshFailed(status: number): CallFailed {
    forget()
    const failed = new CallFailed(status, port.words('refreshFailed'))
    port.say(failed.message)
    port.navigate('/login', { replace: false })
    return failed
  }

  function leaveToLogin({ method, path }: Wanted): CallFailed {
    forget()
    if (path !== unreadCountPath) port.navigate(`/login?jumpUrl=${encodeReturnPath(port.here())}`, { replace: method === 'GET' })
    return new CallFailed(401, port.words('401'))
  }

  function forget(): void {
    removePair()
    port.signedOut()
  }

  async function outcome({ path, options }: Wanted, response: Response): Promise<unknown> {
    if (response.ok) return response.json()
    const text = await response.text()
    const fields = fieldsIn(text)
    if (fields) throw new FieldErrors(response.status, fields)
    throw told(failureOf(path, response.status, text), options)
  }

  function failureOf(path: string, status: number, text: string): CallFailed {
    if (status === 403 && path.includes('/thread')) {
      port.topicDetailPermission(false)
      return new CallFailed(status, '')
    }
    if (status === 503) port.notice(port.words('noticeTitle'), text)
    if (status === 508) {
      localStorage.clear()
      port.signedOut()
    }
    const known = [400, 403, 404, 500].includes(status)
    return new CallFailed(status, known ? port.words(String(status), { url: path }) : status === 503 ? '' : port.words('other', { status }))
  }

  function told(failure: CallFailed, options: CallOptions): CallFailed {
    if (failure.message && !options.silent) port.say(failure.message, { isPersistent: failure.status === 400 })
    return failure
  }

  return {
    read: (path, input, options = {}) => call({ method: 'GET', path, query: queryOf(input, options), options }) as never,
    write: (path, input, options = {}) => call({ method: 'POST', path, body: fieldsOf(input), options }) as never,
  }
}

function queryOf(input: unknown, { shared }: CallOptions): URLSearchParams {
  const query = fieldsOf(input)
  if (!shared) query.set('_t', String(Date.now()))
  return query
}

/** Form fields: text as it is, lists as repeated fields, anything with a shape of its own as JSON. */
export function fieldsOf(input: unknown): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return fields
}

function fieldsIn(text: string): Record<string, string> | null {
  try {
    const { error } = JSON.parse(text)
    return typeof error === 'object' && error !== null ? error : null
  } catch {
    return null // an answer without a form's errors
  }
}

function inOneTab<T>(deed: () => Promise<T>): Promise<T> {
  // Locks exist over HTTPS and on localhost; elsewhere the server's grace for a repeated token serves.
  return 'locks' in navigator ? navigator.locks.request('bbsToken', deed) : deed()
}
