import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import { take } from '#base/server/attempts.ts'
import { transact, type Database, type Db } from '#base/server/database.ts'
import { hashOf, newToken } from '#base/server/secret.ts'
import * as contact from '#contact/server/contact.ts'
import { TooManySent } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import { restUntil, zoneOf, type Rhythm } from '#notice/server/rest.ts'

/** However much comes, nobody gets more than so many e-mails a day. */
const mostADay = 30
const mostEach = 50

/** Puts e-mails aside for all whose time has come. Whatever becomes of the rest, each stands by itself. */
export async function mailAll(database: Database): Promise<void> {
  try {
    while (await transact(database, mailNext)) continue
  } catch (error) {
    // What the site sends in a day is used up: all that waits goes on waiting.
    if (!(error instanceof Refusal) || error.kind !== TooManySent) throw error
  }
}

type Turn = Rhythm & { member_id: string; language: string | null; address: string | null }

/** Whoever's turn it is, unless another process is at it. Gives false where it is nobody's. */
async function mailNext(tx: Db): Promise<boolean> {
  const { rows } = await sql<Rhythm & { member_id: string }>`select member_id, rhythm, hour from reminder_way
    where channel = 'email' and next_at <= now() order by next_at limit 1 for update skip locked`.execute(tx)
  const [way] = rows
  if (!way) return false
  const wait = await take(tx, [{ key: `reminders ${way.member_id}`, most: mostADay, seconds: 86_400 }])
  if (wait > 0) {
    await rest(tx, way.member_id, { next_at: new Date(Date.now() + wait * 1000) })
    return true
  }
  const taken = await takeWaiting(tx, way.member_id)
  await rest(tx, way.member_id, { next_at: null, rests_until: restUntil(way, await zoneOf(tx)) })
  if (taken.kinds.length > 0) await put(tx, { ...way, ...(await readerOf(tx, way.member_id)) }, taken)
  return true
}

type Waiting = { last: string; reminders: string[]; senders: string[]; kinds: string[] }

/** What waits goes into one e-mail. What was read or taken back meanwhile, or is not wanted any more, goes nowhere. */
async function takeWaiting(tx: Db, memberId: string): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    with gone as (delete from reminder_waiting where member_id = ${memberId} and channel = 'email' returning id, deed_id, sender_id),
    told as (
      select gone.id, reminder.id as reminder_id, reminder.kind, null::bigint as sender_id, reminder.at from gone
      join reminder_deed on reminder_deed.id = deed_id join reminder on reminder.id = reminder_deed.reminder_id
      where read_at is null and deleted_at is null and not is_gone
      union all select id, null, 'message', sender_id, now() from gone where sender_id is not null
    ), wanted as (
      select told.* from told join reminder_choice as choice on choice.member_id = ${memberId} and channel = 'email' and choice.kind = told.kind
    )
    select max(id)::text as last,
      array(select reminder_id::text from wanted where reminder_id is not null group by reminder_id order by max(at) desc limit ${mostEach}) as reminders,
      array(select distinct sender_id::text from wanted where sender_id is not null limit ${mostEach}) as senders,
      coalesce(array_agg(distinct kind), '{}') as kinds
    from wanted`.execute(tx)
  return rows[0] ?? { last: '', reminders: [], senders: [], kinds: [] }
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
  if (!address || (await delivery.isUnreached(tx, address))) return
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
    isReminder: true,
  })
}

async function rest(tx: Db, memberId: string, times: { next_at: Date | null; rests_until?: Date }): Promise<void> {
  await tx.updateTable('reminder_way').set(times).where('member_id', '=', memberId).where('channel', '=', 'email').execute()
}
