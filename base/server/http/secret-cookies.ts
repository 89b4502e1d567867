import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '#base/server/database/availability.ts'
import { cookie, devicesCookie, staffCookie, readYourWritesCookie } from '#base/server/security/csrf.ts'
import { isWritePosition, type WritePosition, type ReadYourWrites } from '#base/server/database/read-your-writes.ts'

const kept = {
  staff: { name: staffCookie, path: '/api/admin', lasts: '' },
  devices: { name: devicesCookie, path: '/api', lasts: '; Max-Age=2592000' },
}

type SecretCookie = { secret: string | null; what: keyof typeof kept | undefined }

/** Sets or deletes a cookie that no script can read. */
export function writeSecretCookie(reply: FastifyReply, { secret, what = 'staff' }: SecretCookie, origin: string): void {
  const { name, path, lasts } = kept[what]
  const ends = secret === null ? '; Max-Age=0' : lasts
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${secret ?? ''}; Path=${path}; HttpOnly; SameSite=Strict${ends}${secure}`)
}

/**
 * Sets the position of the browser's last write, for longer than any server or replica needs to catch up. It is never deleted: a late
 * answer would delete a newer one.
 */
export function setReadYourWritesCookie(reply: FastifyReply, mark: WritePosition, origin: string): void {
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${readYourWritesCookie}=${mark}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure}`)
}

/**
 * Applies the invalidations before the caller's last write. While the database is unavailable, the caller sees the cached state like
 * everybody.
 */
export async function catchUpWithWrites(back: ReadYourWrites, request: FastifyRequest): Promise<void> {
  const mark = writePositionOf(request)
  if (mark === null || request.url.startsWith('/assets/')) return
  try {
    await back.catchUpTo(mark)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}

export function writePositionOf({ headers }: FastifyRequest): WritePosition | null {
  const mark = cookie(headers.cookie, readYourWritesCookie)
  return isWritePosition(mark) ? mark : null
}
