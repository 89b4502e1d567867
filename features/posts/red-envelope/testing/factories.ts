import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { give } from '#red-envelope/server/give.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import type { Settings } from '#setting/contract.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

/** Removes the daily limits, enables money, and sets the rewards of posts to zero. */
export async function withEnvelopes({ database }: Forum, more: Partial<Settings> = {}): Promise<void> {
  const many = { envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }
  const unrewarded = { topicPoints: 0, commentPoints: 0, questionPoints: 0, answerPoints: 0 }
  await transact(database, (tx) => applySettings(tx, { allowCash: true, ...many, ...unrewarded, ...more }))
  database.invalidations.announce(new Set(['setting', 'everything']))
}

/** A member with points and money to give. */
export async function aGiver(forum: Forum, points = 1_000, cents = 100_000): Promise<Person> {
  const giver = await forum.member()
  if (points > 0) await endow(forum.database, giver.id, points)
  if (cents > 0) await endow(forum.database, giver.id, cents, 'cny')
  return giver
}

export function opens(who: Person, envelopeId: string, key = newIdempotencyKey()) {
  return who.tryCall(openEnvelope, { envelopeId }, key)
}

export async function envelopeOf({ database }: Forum, topicId: string): Promise<string> {
  const row = await database.app.selectFrom('red_envelope').select('id').where('topic_id', '=', topicId).executeTakeFirstOrThrow()
  return row.id
}

/** Pays claims as the job does. */
export async function payClaims({ database }: Forum): Promise<void> {
  await payAll(database)
}

/** Expires an envelope and runs the job. */
export async function letEnd({ database }: Forum, envelopeId: string): Promise<void> {
  await sql`update red_envelope set ends_at = clock_timestamp() - interval '1 second' where id = ${envelopeId}`.execute(database.app)
  await endDue(database)
}

export async function stands({ database }: Forum, envelopeId: string) {
  const columns = ['state', 'end_reason as reason', 'returned'] as const
  return database.app.selectFrom('red_envelope').select(columns).where('id', '=', envelopeId).executeTakeFirstOrThrow()
}

/** An envelope from one member to another, without a post. */
export async function aDirectOne(database: Database, giverId: string, receiver: string): Promise<string> {
  const giver = { id: giverId, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  const wish = { envelopeKind: 'targeted', envelopePoints: toMinor(5), envelopeReceiver: receiver } as const
  return (await transact(database, (tx) => give(tx, giver, {}, wish))) ?? ''
}

export async function envelopeBeside({ database }: Forum, post: 'comment_id' | 'message_id', id: string) {
  return database.app
    .selectFrom('red_envelope')
    .select(['id', 'state', 'topic_id', 'end_reason'])
    .where(post, '=', id)
    .executeTakeFirstOrThrow()
}
