import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie, devicesCookie, staffCookie, wroteCookie } from '#base/server/csrf.ts'
import { isMark, type Mark, type ReadBack } from '#base/server/read-back.ts'

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

/** Keeps when this browser wrote; null once all know it. */
export function markWritten(reply: FastifyReply, mark: Mark | null): void {
  const lasts = mark === null ? 'Max-Age=0' : 'Max-Age=3600'
  reply.header('set-cookie', `${wroteCookie}=${mark ?? ''}; Path=/; HttpOnly; SameSite=Lax; ${lasts}`)
}

/** Hears first what was written before by whoever asks. Once everybody has, their browser forgets. */
export async function readBack(back: ReadBack, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const mark = markOf(request)
  if (mark === null) return
  await back.hear(mark)
  if (await back.isOver(mark)) markWritten(reply, null)
}

export function markOf({ headers }: FastifyRequest): Mark | null {
  const mark = cookie(headers.cookie, wroteCookie)
  return isMark(mark) ? mark : null
}
