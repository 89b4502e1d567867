import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { refusal } from '#base/contract.ts'
import type { IncomingHttpHeaders } from 'node:http'

export const CsrfFailed = refusal('base.forged', { status: 403 })

export const csrfCookie = 'cms_token'
const csrfHeader = 'bbs-xsrf-token'

export type Csrf = {
  /** The browser's token, if we issued it. */
  tokenOf(headers: IncomingHttpHeaders): string | null
  make(): string
  /** Refuses a write that another site may have sent on behalf of this browser. */
  check(headers: IncomingHttpHeaders, origin: string): string
}

/** Double submit with signed tokens: a cookie planted from a neighbouring site does not pass. */
export function csrfGuard(secret: Buffer): Csrf {
  // Created once: raw bytes would become a key object again for each request.
  const key = createSecretKey(secret)
  const sign = (value: string) => createHmac('sha256', key).update(value).digest('base64url')

  function held(headers: IncomingHttpHeaders): string | null {
    const token = cookie(headers.cookie, csrfCookie)
    const [value, signature] = token?.split('.') ?? []
    return token && value && signature && isEqual(signature, sign(value)) ? token : null
  }

  return {
    tokenOf: held,
    make() {
      const value = randomBytes(18).toString('base64url')
      return `${value}.${sign(value)}`
    },
    check(headers, origin) {
      const token = held(headers)
      const echoed = headers[csrfHeader]
      if (!token || typeof echoed !== 'string' || !isEqual(echoed, token)) throw CsrfFailed()
      if (!headers['x-requested-with']) throw CsrfFailed()
      if (headers['sec-fetch-site'] === 'cross-site' || (headers.origin && headers.origin !== origin)) throw CsrfFailed()
      return token
    },
  }
}

export function cookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(`${name}=`)) return undefined
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

function isEqual(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
