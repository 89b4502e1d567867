import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database.ts'
import type { Forum } from '#base/testing/forum.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { give } from '#red-envelope/server/give.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import { minorOf } from '#wallet/contract.ts'

/** The envelope of a thread. */
export async function envelopeOf({ database }: Forum, topicId: string): Promise<string> {
  const row = await database.app.selectFrom('red_envelope').select('id').where('topic_id', '=', topicId).executeTakeFirstOrThrow()
  return row.id
}

/** Pays claims as the job does. */
export async function payClaims({ database }: Forum): Promise<void> {
  await payAll(database)
}

/** The time of an envelope is over, and the job has seen it. */
export async function letEnd({ database }: Forum, envelopeId: string): Promise<void> {
  await sql`update red_envelope set ends_at = clock_timestamp() - interval '1 second' where id = ${envelopeId}`.execute(database.app)
  await endDue(database)
}

/** One that a member gave to another, beside no post. */
export async function aDirectOne(database: Database, giverId: string, receiver: string): Promise<string> {
  const giver = { id: giverId, sessionId: '', sees: '', may: () => true, where: () => ({ except: [] }) }
  const wish = { envelopeKind: 'targeted', envelopePoints: minorOf(5), envelopeReceiver: receiver } as const
  return (await transact(database, (tx) => give(tx, giver, { topicId: null, isPending: false }, wish))) ?? ''
}
