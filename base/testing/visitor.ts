import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Endpoint, RawInput, Output, RefusalKind } from '#base/contract.ts'

export type Language = 'zh' | 'en'

export type CallResult<T> = { status: number; body: T; error: Record<string, string>; response: LightMyRequestResponse }

let addresses = 0

/** A browser session with its own IP address: holds the CSRF token and the token pair. */
export class Visitor {
  readonly app: FastifyInstance
  readonly language: Language
  readonly userAgent: string
  ip = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`
  cookie = ''
  pair: { accessToken: string; refreshToken: string } | null = null

  constructor(app: FastifyInstance, { language = 'en', userAgent = 'test' }: { language?: Language; userAgent?: string } = {}) {
    this.app = app
    this.language = language
    this.userAgent = userAgent
  }

  /** Calls an endpoint and expects success. */
  async call<E extends Endpoint>(endpoint: E, input: RawInput<E>, headers: Record<string, string> = {}): Promise<Output<E>> {
    const { status, body, response } = await this.tryCall(endpoint, input, headers)
    if (status !== 200) throw new Error(`${endpoint.path} answered ${status}: ${response.body}`)
    return body
  }

  /** Calls an endpoint and returns any response. */
  async tryCall<E extends Endpoint>(endpoint: E, input: RawInput<E>, headers: Record<string, string> = {}): Promise<CallResult<Output<E>>> {
    const response = await this.send(endpoint.method, endpoint.path, input as Record<string, unknown>, headers)
    const isJson = String(response.headers['content-type']).includes('json')
    const body = isJson && response.body ? response.json() : {}
    return { status: response.statusCode, body, error: body.error ?? {}, response }
  }

  /** Whether the call failed with this error, at its field. */
  async isRefused<E extends Endpoint>(
    endpoint: E,
    input: RawInput<E>,
    kind: RefusalKind,
    headers: Record<string, string> = {},
  ): Promise<boolean> {
    const { status, error } = await this.tryCall(endpoint, input, headers)
    return status === kind.status && (kind.status !== 422 || Object.hasOwn(error, kind.field))
  }

  async send(method: 'GET' | 'POST', path: string, input: Record<string, unknown>, headers: Record<string, string> = {}) {
    if (method === 'POST' && !this.cookie) await this.fetchToken()
    const text = formText(input)
    return this.app.inject({
      method,
      remoteAddress: this.ip,
      url: method === 'GET' ? `/api${path}?${text}` : `/api${path}`,
      headers: { ...this.headers(method), ...headers },
      ...(method === 'POST' && { payload: text }),
    })
  }

  /** The first call of the app, which issues the CSRF token. */
  async fetchToken(): Promise<void> {
    const response = await this.app.inject({ method: 'GET', url: '/api/baseInfo', remoteAddress: this.ip, headers: this.headers('GET') })
    this.cookie = String(response.headers['set-cookie']).split(';')[0] ?? ''
  }

  headers(method: 'GET' | 'POST'): Record<string, string> {
    return {
      'user-agent': this.userAgent,
      'accept-language': this.language === 'zh' ? 'zh-CN' : 'en-US',
      'x-requested-with': 'XMLHttpRequest',
      ...(this.cookie && { cookie: this.cookie, 'bbs-xsrf-token': this.cookie.split('=')[1] ?? '' }),
      ...(this.pair && { authorization: `Bearer ${this.pair.accessToken},${this.pair.refreshToken}` }),
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
  }
}

let keys = 0

/** A unique idempotency key. */
export function newIdempotencyKey(): { 'idempotency-key': string } {
  return { 'idempotency-key': `a-key-for-number-${++keys}` }
}

function formText(input: Record<string, unknown>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (Array.isArray(value) && value.length === 0) fields.append(name, '[]')
    for (const one of Array.isArray(value) ? value : [value])
      fields.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return fields.toString()
}
