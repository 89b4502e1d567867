import type { FastifyInstance } from 'fastify'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { networkLimit } from '#base/server/http/admission.ts'
import type { InProcessCalls } from '#base/server/http/call-in-process.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { languageOf } from '#base/server/words.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { deliveredKinds, type DeliveredKind } from '#notification/all-kinds.ts'
import { stopNotifications, type stopForm } from '#notification/notification-contract.ts'
import { setChannel } from '#notification/server/notification-settings.ts'

/** The scope of an unsubscribe link. An expired link ends nothing, and does not reveal its owner. */
export async function show(db: Db, token: string): Promise<Output<typeof stopForm>> {
  const found = await scopeOf(primary(db), token)
  return { isKnown: found !== null, kind: found?.kind ?? null }
}

/** Ends the e-mails that the link stands for, or of those the ones of one kind. Idempotent. */
export async function unsubscribe(tx: Db, { token, kind }: ParsedInput<typeof stopNotifications>): Promise<void> {
  const found = await scopeOf(tx, token)
  if (!found) return
  if (found.kind && kind && kind !== found.kind) return
  const only = found.kind ?? kind
  if (only) return setChannel(tx, found.memberId, { kind: only, channel: 'email' }, false)
  await tx.deleteFrom('notification_preference').where('member_id', '=', found.memberId).where('channel', '=', 'email').execute()
}

type OneClickOptions = { calls: InProcessCalls; visitor: () => Promise<Viewer> }

/**
 * One-click unsubscribing for mail programs (RFC 8058). They hold no session and no CSRF token, only the link's own token, which says what
 * ends. All else is checked as for the call of the page.
 */
export function serveOneClick(app: FastifyInstance, { calls, visitor }: OneClickOptions): void {
  const limitNetwork = networkLimit('one-click unsubscribing', 'POST')
  app.post<{ Querystring: { token?: unknown } }>('/unsubscribe', async (request, reply) => {
    const ip = normalizeIp(request.ip)
    await limitNetwork(ip)
    const { token } = request.query
    const language = languageOf(request.headers['accept-language'])
    const client = { origin: '', ip, isLocal: false, language, userAgent: '', authorization: undefined, csrf: '' }
    if (typeof token === 'string') await calls.call(stopNotifications, { token }, { viewer: await visitor(), client })
    return reply.code(200).header('cache-control', 'no-store').type('text/plain').send('')
  })
}

// A kind that the program does not know any more is none, and not all of them.
async function scopeOf(db: Db, token: string): Promise<{ memberId: string; kind: DeliveredKind | null } | null> {
  const row = await db.selectFrom('unsubscribe_token').select(['member_id', 'kind']).where('hash', '=', hashOf(token)).executeTakeFirst()
  if (!row) return null
  const kind = deliveredKinds.find((one) => one === row.kind) ?? null
  return kind === row.kind ? { memberId: row.member_id, kind } : null
}
