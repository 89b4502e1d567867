import type { FastifyReply } from 'fastify'
import { devicesCookie, staffCookie, wroteCookie } from '#base/server/csrf.ts'
import type { Mark } from '#base/server/replica.ts'

const kept = {
  staff: { name: staffCookie, path: '/api/admin', lasts: '' },
  devices: { name: devicesCookie, path: '/api', lasts: '; Max-Age=2592000' },
}

type Kept = { secret: string | null; what: keyof typeof kept | undefined }

/** Keeps a secret where no script reads it. */
export function keepFromScripts(reply: FastifyReply, { secret, what = 'staff' }: Kept, origin: string): void {
  const { name, path, lasts } = kept[what]
  const ends = secret === null ? '; Max-Age=0' : lasts
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${secret ?? ''}; Path=${path}; HttpOnly; SameSite=Strict${ends}${secure}`)
}

/** Keeps how far the log was when this browser wrote; null once the replica has come so far. */
export function markWritten(reply: FastifyReply, mark: Mark | null): void {
  const lasts = mark === null ? 'Max-Age=0' : 'Max-Age=3600'
  reply.header('set-cookie', `${wroteCookie}=${mark ?? ''}; Path=/api; HttpOnly; SameSite=Lax; ${lasts}`)
}
