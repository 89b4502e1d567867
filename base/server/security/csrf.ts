import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { refusal } from '#base/contract.ts'
import type { IncomingHttpHeaders } from 'node:http'

export const Forged = refusal('base.forged', { status: 403 })

export const csrfCookie = 'cms_token'
/** Holds a session of staff, for calls of the administration alone. */
export const staffCookie = 'teahouse_staff'
/** Holds what makes this browser a trusted one, for calls alone. */
export const devicesCookie = 'teahouse_devices'
/** When this browser wrote last, where several servers share the database. */
export const readYourWritesCookie = 'teahouse_wrote'
const csrfHeader = 'bbs-xsrf-token'

export type Csrf = {
  /** The token this browser holds, when we made it. */
  held(headers: IncomingHttpHeaders): string | null
  make(): string
  /** Refuses a write that another site may have sent in this browser's name. */
  check(headers: IncomingHttpHeaders, origin: string): string
}

/** Double submit with tokens that only we can make: a cookie planted from a neighbouring site does not pass. */
export function csrfGuard(secret: Buffer): Csrf {
  // Made ready once: as bytes it would be made anew for each request.
  const key = createSecretKey(secret)
  const sign = (value: string) => createHmac('sha256', key).update(value).digest('base64url')

  function held(headers: IncomingHttpHeaders): string | null {
    const token = cookie(headers.cookie, csrfCookie)
    const [value, signature] = token?.split('.') ?? []
    return token && value && signature && same(signature, sign(value)) ? token : null
  }

  return {
    held,
    make() {
      const value = randomBytes(18).toString('base64url')
      return `${value}.${sign(value)}`
    },
    check(headers, origin) {
      const token = held(headers)
      const echoed = headers[csrfHeader]
      if (!token || typeof echoed !== 'string' || !same(echoed, token)) throw Forged()
      if (!headers['x-requested-with']) throw Forged()
      if (headers['sec-fetch-site'] === 'cross-site' || (headers.origin && headers.origin !== origin)) throw Forged()
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

function same(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
