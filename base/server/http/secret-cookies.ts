import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '#base/server/database/availability.ts'
import { cookie } from '#base/server/security/csrf.ts'
import { hasEncryptedAddress } from '#base/server/http/site-address.ts'
import type { ReadYourWrites } from '#base/server/database/read-your-writes.ts'
import { isWritePosition, type WritePosition } from '#base/server/database/write-position.ts'

/** The staff session, for calls of the administration only. */
export const staffCookie = 'teahouse_staff'
/** The tokens that make this browser a trusted device, for API calls only. */
const devicesCookie = 'teahouse_devices'
/** Set by every write: the position in the database's log for servers that share it, or `0/0`. Pages and calls ask for it. */
export const readYourWritesCookie = 'teahouse_wrote'

const secretCookies = {
  staff: { name: staffCookie, path: '/api/admin', maxAge: '' },
  devices: { name: devicesCookie, path: '/api', maxAge: '; Max-Age=2592000' },
}

type SecretCookie = { secret: string | null; kind: keyof typeof secretCookies | undefined }

/**
 * The name of a cookie that no script reads. Where the site has an encrypted address, browsers take a cookie of this name from encrypted
 * answers alone: nobody on the way can plant one.
 */
export function secretCookieName(name: string): string {
  return hasEncryptedAddress() ? `__Secure-${name}` : name
}

/** A cookie that no script reads. */
export function secretCookie(cookies: string | undefined, name: string): string | undefined {
  return cookie(cookies, secretCookieName(name))
}

export function devicesOf({ cookie: cookies }: IncomingHttpHeaders): string | undefined {
  return secretCookie(cookies, devicesCookie)
}

/** Sets or deletes a cookie that no script can read. */
export function writeSecretCookie(reply: FastifyReply, { secret, kind = 'staff' }: SecretCookie, origin: string): void {
  const { name, path, maxAge } = secretCookies[kind]
  const ends = secret === null ? '; Max-Age=0' : maxAge
  const secure = secureIn(origin)
  reply.header('set-cookie', `${secretCookieName(name)}=${secret ?? ''}; Path=${path}; HttpOnly; SameSite=Strict${ends}${secure}`)
}

/**
 * Sets the position of the browser's last write, for longer than any server or replica needs to catch up. It is never deleted: a late
 * answer would delete a newer one. A server that has the database to itself has nothing to catch up with.
 */
export function setReadYourWritesCookie(reply: FastifyReply, position: WritePosition | undefined, origin: string): void {
  const name = secretCookieName(readYourWritesCookie)
  reply.header('set-cookie', `${name}=${position ?? '0/0'}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secureIn(origin)}`)
}

/** Whether this browser wrote in the last minutes, so that it must see everything as it is now. */
export function wroteLately({ cookie: cookies }: IncomingHttpHeaders): boolean {
  return cookies?.includes(`${readYourWritesCookie}=`) ?? false
}

function secureIn(origin: string): string {
  return origin.startsWith('https') || hasEncryptedAddress() ? '; Secure' : ''
}

/**
 * Applies the invalidations before the caller's last write. While the database is unavailable, the caller sees the cached state like
 * everybody.
 */
export async function catchUpWithWrites(readYourWrites: ReadYourWrites, request: FastifyRequest): Promise<void> {
  const position = writePositionOf(request)
  if (position === null || request.url.startsWith('/assets/')) return
  try {
    await readYourWrites.catchUpTo(position)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}

export function writePositionOf({ headers }: FastifyRequest): WritePosition | null {
  const position = secretCookie(headers.cookie, readYourWritesCookie)
  return isWritePosition(position) ? position : null
}
