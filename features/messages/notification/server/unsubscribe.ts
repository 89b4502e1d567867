import type { FastifyInstance } from 'fastify'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, transact, type Database, type Db } from '#base/server/database/database.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { deliveredKinds, type DeliveredKind } from '#notification/all-kinds.ts'
import type { stopForm, stopNotifications } from '#notification/notification-contract.ts'
import { setChannel } from '#notification/server/notification-settings.ts'

/** The scope of an unsubscribe link. An expired link ends nothing, and does not reveal its owner. */
export async function show(db: Db, token: string): Promise<Output<typeof stopForm>> {
  const found = await scopeOf(primary(db), token)
  return { isKnown: found !== null, kind: found?.kind ?? null }
}

/** Ends e-mails of one kind, or of all. Idempotent. */
export async function unsubscribe(tx: Db, { token, kind }: ParsedInput<typeof stopNotifications>): Promise<void> {
  const found = await scopeOf(tx, token)
  if (!found) return
  if (kind) return setChannel(tx, found.memberId, { kind, channel: 'email' }, false)
  await tx.deleteFrom('notification_preference').where('member_id', '=', found.memberId).where('channel', '=', 'email').execute()
}

/**
 * One-click unsubscribing for mail programs (RFC 8058). They hold no session and no CSRF token, only the link's own token, which says what
 * ends.
 */
export function serveOneClick(app: FastifyInstance, database: Database): void {
  app.post<{ Querystring: { token?: unknown } }>('/unsubscribe', async ({ query: { token } }, reply) => {
    if (typeof token === 'string')
      await transact(database, async (tx) => {
        const found = await scopeOf(tx, token)
        await unsubscribe(tx, { token, ...(found?.kind && { kind: found.kind }) })
      })
    return reply.code(200).header('cache-control', 'no-store').type('text/plain').send('')
  })
}

async function scopeOf(db: Db, token: string): Promise<{ memberId: string; kind: DeliveredKind | null } | null> {
  const row = await db.selectFrom('unsubscribe_token').select(['member_id', 'kind']).where('hash', '=', hashOf(token)).executeTakeFirst()
  return row ? { memberId: row.member_id, kind: deliveredKinds.find((kind) => kind === row.kind) ?? null } : null
}
