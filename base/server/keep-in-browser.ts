import type { FastifyReply, FastifyRequest } from 'fastify'
import { isAway } from '#base/server/away.ts'
import { cookie, devicesCookie, staffCookie, wroteCookie } from '#base/server/csrf.ts'
import { isMark, type Mark, type ReadBack } from '#base/server/read-back.ts'

const kept = {
  staff: { name: staffCookie, path: '/api/admin', lasts: '' },
  devices: { name: devicesCookie, path: '/api', lasts: '; Max-Age=2592000' },
}

type SecretCookie = { secret: string | null; what: keyof typeof kept | undefined }

/** Keeps a secret where no script reads it. */
export function keepFromScripts(reply: FastifyReply, { secret, what = 'staff' }: SecretCookie, origin: string): void {
  const { name, path, lasts } = kept[what]
  const ends = secret === null ? '; Max-Age=0' : lasts
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${secret ?? ''}; Path=${path}; HttpOnly; SameSite=Strict${ends}${secure}`)
}

/** Keeps when this browser wrote, for longer than any server or replica takes to have it. It is never taken away: an answer that is late would take a newer one. */
export function markWritten(reply: FastifyReply, mark: Mark, origin: string): void {
  const secure = origin.startsWith('https') ? '; Secure' : ''
  reply.header('set-cookie', `${wroteCookie}=${mark}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure}`)
}

/** Hears first what was written before by whoever asks. While the database is away, they are shown what others are. */
export async function readBack(back: ReadBack, request: FastifyRequest): Promise<void> {
  const mark = markOf(request)
  if (mark === null || request.url.startsWith('/assets/')) return
  try {
    await back.hear(mark)
  } catch (error) {
    if (!isAway(error)) throw error
  }
}

export function markOf({ headers }: FastifyRequest): Mark | null {
  const mark = cookie(headers.cookie, wroteCookie)
  return isMark(mark) ? mark : null
}
