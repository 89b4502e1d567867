import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { take } from '#base/server/security/attempts.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import { TooManySent } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import { nextEmailAt, type Rhythm } from '#notification/server/schedule.ts'
import { setNextTime, takeQueue, type QueuedItems, type QueueKey } from '#notification/server/delivery-queue.ts'
import * as preferences from '#preferences/server/preferences.ts'
import * as setting from '#setting/server/setting.ts'

/** The maximum of e-mails to one member per day. */
const maxPerDay = 30

/** Queues the e-mails of all members whose turn it is. Each commits by itself. */
export async function mailAll(database: Database): Promise<void> {
  try {
    while (await transact(database, mailNext)) continue
  } catch (error) {
    // The site's daily quota is used up: everything else keeps waiting.
    if (!(error instanceof Refusal) || error.kind !== TooManySent) throw error
  }
}

type Turn = Rhythm & { member_id: string; language: string | null; address: string | null }

/** Queues the next member's e-mail, unless another process does. False where none is due. */
async function mailNext(tx: Db): Promise<boolean> {
  const { rows } = await sql<Rhythm & { member_id: string }>`select member_id, rhythm, hour from notification_channel
    where channel = 'email' and next_at <= now() order by next_at limit 1 for update skip locked`.execute(tx)
  const [way] = rows
  if (!way) return false
  const its: QueueKey = { memberId: way.member_id, channel: 'email' }
  const wait = await take(tx, [{ key: `notifications ${way.member_id}`, most: maxPerDay, seconds: 86_400 }])
  if (wait > 0) {
    await setNextTime(tx, its, { next_at: new Date(Date.now() + wait * 1000) })
    return true
  }
  const taken = await takeQueue(tx, its)
  await setNextTime(tx, its, { next_at: null, rests_until: nextEmailAt(way, await preferences.timeZoneOf(tx, way.member_id)) })
  if (taken.kinds.length > 0) await queueEmail(tx, { ...way, ...(await readerOf(tx, way.member_id)) }, taken)
  return true
}

async function readerOf(tx: Db, memberId: string): Promise<Pick<Turn, 'language' | 'address'>> {
  const member = await tx
    .selectFrom('member')
    .select('language')
    .where('id', '=', memberId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  const address = (await contact.addressesOf(tx, memberId)).find(({ kind }) => kind === 'email')?.address ?? null
  return { language: member?.language ?? null, address: member ? address : null }
}

async function queueEmail(
  tx: Db,
  { member_id, language, address, rhythm }: Turn,
  { last, notifications, senders, kinds }: QueuedItems,
): Promise<void> {
  if (!address || !setting.canSend(await setting.all(tx), 'email') || (await delivery.isUndeliverable(tx, address))) return
  const token = newToken()
  const [only = null, another] = rhythm === 'atOnce' ? kinds : []
  await tx
    .insertInto('unsubscribe_token')
    .values({ hash: hashOf(token), member_id, kind: another ? null : only })
    .execute()
  await delivery.send(tx, {
    effectKey: `notifications ${member_id} ${last}`,
    channel: 'email',
    to: address,
    template: 'notifications',
    values: { memberId: member_id, notifications: notifications.join(), senders: senders.join(), token },
    language: language === 'en' ? 'en' : 'zh',
    use: 'notifications',
  })
}
