import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '#base/server/database/availability.ts'
import { cookie, devicesCookie, staffCookie, readYourWritesCookie } from '#base/server/security/csrf.ts'
import type { ReadYourWrites } from '#base/server/database/read-your-writes.ts'
import { isWritePosition, type WritePosition } from '#base/server/database/write-position.ts'

const secretCookies = {
  staff: { name: staffCookie, path: '/api/admin', maxAge: '' },
  devices: { name: devicesCookie, path: '/api', maxAge: '; Max-Age=2592000' },
}

type SecretCookie = { secret: string | null; kind: keyof typeof secretCookies | undefined }

/** Sets or deletes a cookie that no script can read. */
export function writeSecretCookie(reply: FastifyReply, { secret, kind = 'staff' }: SecretCookie, origin: string): void {
  const { name, path, maxAge } = secretCookies[kind]
  const ends = secret === null ? '; Max-Age=0' : maxAge
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${secret ?? ''}; Path=${path}; HttpOnly; SameSite=Strict${ends}${secure}`)
}

/**
 * Sets the position of the browser's last write, for longer than any server or replica needs to catch up. It is never deleted: a late
 * answer would delete a newer one. A server that has the database to itself has nothing to catch up with.
 */
export function setReadYourWritesCookie(reply: FastifyReply, position: WritePosition | undefined, origin: string): void {
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${readYourWritesCookie}=${position ?? '0/0'}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure}`)
}

/** Whether this browser wrote in the last minutes, so that it must see everything as it is now. */
export function wroteLately({ cookie: cookies }: IncomingHttpHeaders): boolean {
  return cookies?.includes(`${readYourWritesCookie}=`) ?? false
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
  const position = cookie(headers.cookie, readYourWritesCookie)
  return isWritePosition(position) ? position : null
}
