import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { take } from '#base/server/security/attempts.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import { TooManySent } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import { restUntil, type Rhythm } from '#notice/server/rest.ts'
import { rest, takeWaiting, type Waiting, type Way } from '#notice/server/waiting.ts'
import * as preferences from '#preferences/server/preferences.ts'
import * as setting from '#setting/server/setting.ts'

/** The maximum of e-mails to one member per day. */
const mostADay = 30

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
  const { rows } = await sql<Rhythm & { member_id: string }>`select member_id, rhythm, hour from reminder_way
    where channel = 'email' and next_at <= now() order by next_at limit 1 for update skip locked`.execute(tx)
  const [way] = rows
  if (!way) return false
  const its: Way = { memberId: way.member_id, channel: 'email' }
  const wait = await take(tx, [{ key: `reminders ${way.member_id}`, most: mostADay, seconds: 86_400 }])
  if (wait > 0) {
    await rest(tx, its, { next_at: new Date(Date.now() + wait * 1000) })
    return true
  }
  const taken = await takeWaiting(tx, its)
  await rest(tx, its, { next_at: null, rests_until: restUntil(way, await preferences.timeZoneOf(tx, way.member_id)) })
  if (taken.kinds.length > 0) await put(tx, { ...way, ...(await readerOf(tx, way.member_id)) }, taken)
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

async function put(tx: Db, { member_id, language, address, rhythm }: Turn, { last, reminders, senders, kinds }: Waiting): Promise<void> {
  if (!address || !setting.sends(await setting.all(tx), 'email') || (await delivery.isUnreached(tx, address))) return
  const token = newToken()
  const [only = null, another] = rhythm === 'atOnce' ? kinds : []
  await tx
    .insertInto('reminder_stop')
    .values({ hash: hashOf(token), member_id, kind: another ? null : only })
    .execute()
  await delivery.send(tx, {
    effectKey: `reminders ${member_id} ${last}`,
    channel: 'email',
    to: address,
    template: 'reminders',
    values: { memberId: member_id, reminders: reminders.join(), senders: senders.join(), token },
    language: language === 'en' ? 'en' : 'zh',
    use: 'reminders',
  })
}
