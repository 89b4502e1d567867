import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as follow from '#follow/server/follow.ts'
import type { BlockLevel } from '#follow/contract.ts'
import type { Senders } from '#message/contract.ts'
import { asMember } from '#message/server/as-member.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import type { Settings } from '#setting/contract.ts'
import * as writing from '#writing/server/writing.ts'

/** The relation of a sender to a recipient. */
export type Relation = {
  isThere: boolean
  isGone: boolean
  /** Each one's mute or block of the other. */
  mine: BlockLevel | null
  theirs: BlockLevel | null
  /** Whether the recipient follows the sender. */
  followsMe: boolean
  senders: Senders | null
  /** They have a conversation, and the sender of the request where it is not accepted. */
  isBegun: boolean
  request: 'mine' | 'theirs' | null
  /** The messages that were sent before it was accepted. */
  sent: number
  isNew: boolean
  /** Since the sender's last message to anybody; null where there is none. */
  secondsSince: number | null
  /** So many messages within the last minute that a captcha is due. */
  isBusy: boolean
}

export function relationTo(db: Db, settings: Settings, member: Member, otherId: string): Promise<Relation> {
  return asMember(db, member.id, async (as) => {
    const { rows } = await sql<Relation>`select ${columns(settings, member, otherId)}`.execute(as)
    return first(rows)
  })
}

/** The relation at the moment of sending, with the message's id and time. */
export type LockedRelation = Relation & { id: string; at: Date; before: (Sent & { isToThem: boolean }) | null }
export type Sent = { id: string; segments: { html: string }[]; sentAt: string; key: string; envelopeId: string | null }

/** The same with locks, and with the next message's id. Concurrent changes between the two wait until it is sent. */
export function lockRelation(
  tx: Db,
  settings: Settings,
  member: Member,
  { userId, key }: { userId: string; key: string },
): Promise<LockedRelation> {
  return asMember(tx, member.id, async (as) => {
    await sql`/* with the commit */ select pg_advisory_xact_lock(hashtextextended(${`message by ${member.id}`}, 0))`.execute(as)
    await follow.lockRelation(as, member.id, userId)
    const { rows } = await sql<LockedRelation>`
      select ${columns(settings, member, userId)}, nextval('message_id_seq')::text as id, clock_timestamp() as at, (
        select jsonb_build_object('id', id::text, 'segments', segments, 'sentAt', sent_at, 'key', key,
          'isToThem', ${userId} in (low_id, high_id), 'envelopeId', ${redEnvelope.envelopeOfMessage})
        from message where author_id = ${member.id} and key = ${key}
      ) as before`.execute(as)
    return first(rows)
  })
}

function columns(settings: Settings, member: Member, otherId: string) {
  const { messageCaptchaAfter: most } = settings
  const how = (whose: string, whom: string) => sql`(select how from member_block where member_id = ${whose} and other_id = ${whom})`
  const side = (column: string) =>
    sql`(select ${sql.ref(column)} from conversation_participant where member_id = ${member.id} and other_id = ${otherId})`
  const own = sql`from message where author_id = ${member.id}`
  return sql`
    exists (select from member where id = ${otherId}) as "isThere",
    exists (select from member where id = ${otherId} and deactivated_at is not null) as "isGone",
    ${how(member.id, otherId)} as mine, ${how(otherId, member.id)} as theirs,
    exists (select from follow where of = 'member' and of_id = ${member.id} and member_id = ${otherId}) as "followsMe",
    (select senders from message_setting where member_id = ${otherId}) as senders,
    ${side('member_id')} is not null as "isBegun", ${side('request')} as request, coalesce(${side('sent')}, 0) as sent,
    (select ${writing.isNew(settings)} from member where id = ${member.id}) as "isNew",
    (select extract(epoch from clock_timestamp() - sent_at)::float8 ${own} order by sent_at desc limit 1) as "secondsSince",
    (select count(*) ${own} and sent_at > now() - interval '1 minute') >= ${most}::int as "isBusy"`
}

function first<T>(rows: readonly T[]): T {
  const [row] = rows
  if (!row) throw new Error('Nothing was asked')
  return row
}
