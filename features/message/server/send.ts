import { sql } from 'kysely'
import { Missing, NotAllowed, type ParsedInput as Input } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import * as captcha from '#captcha/server/captcha.ts'
import * as file from '#file/server/file.ts'
import {
  BlockedByYou,
  KeyOfAnother,
  NotReceiving,
  RequestWaits,
  Yourself,
  type MessageView,
  type send as sendCall,
} from '#message/contract.ts'
import { between } from '#message/server/as-member.ts'
import * as may from '#message/server/may.ts'
import { taking, type Sent, type Taken } from '#message/server/standing.ts'
import * as notice from '#notice/server/notice.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'
import { FunctionClosed, type Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { TooSoon } from '#writing/contract.ts'
import * as writing from '#writing/server/writing.ts'

type Draft = Input<typeof sendCall>
export type Solved = Awaited<ReturnType<typeof captcha.spend>>

/** Consumes the captcha, if any. Whether one is due is decided when the message is stored. */
export async function prepare({ input, client, inSeparateTransaction }: PrepareContext<Draft, Member>): Promise<Solved> {
  return input.captchaId ? inSeparateTransaction((tx) => captcha.spend(tx, 'message', client, input)) : 'missing'
}

type When = Partial<Pick<ClientInfo, 'origin'>> & {
  solved?: Solved
  /** The time of seeded data, which today's limits do not apply to. */ at?: Date
}

/** Sends a message. A repeated key returns the message that was sent first, even if it was deleted since. */
export async function send(
  tx: Db,
  member: Member,
  { userId, key, body: document, ...given }: Draft,
  { origin, solved = 'missing', at }: When,
): Promise<MessageView> {
  if (userId === member.id) throw Yourself()
  const settings = await setting.all(tx)
  const found = await taking(tx, settings, member, { userId, key })
  if (found.before?.isToThem === false) throw KeyOfAnother()
  if (found.before) return viewOf(found.before)
  if (!at) refuse(member, settings, found, solved)
  const taken = { ...found, at: at ?? found.at }
  const ready = await writing.prepareMessage(tx, { by: member, document, origin, at })
  await write(tx, member, { userId, key }, taken, ready)
  await file.attach(tx, ready.fileIds, { messageId: taken.id })
  const envelopeId = await redEnvelope.give(tx, member, { message: { id: taken.id, to: userId } }, given)
  if (!at && !may.asks(member, taken)) await notice.messageCame(tx, { to: userId, from: member.id })
  invalidate(tx, `inbox:${userId}`, `inbox:${member.id}`)
  return viewOf({ id: taken.id, segments: JSON.parse(ready.segments), sentAt: taken.at.toISOString(), key, envelopeId })
}

function refuse(member: Member, settings: Settings, taken: Taken, solved: Solved): void {
  if (!settings.allowMessages) throw FunctionClosed()
  role.free('message')(member)
  const why = may.closed(member, settings, taken)
  if (why) throw refusals[why]()
  const seconds = may.wait(member, settings, taken)
  if (seconds > 0) throw TooSoon({ seconds })
  if (may.needsCaptcha(member, taken)) captcha.refuseUnless(solved)
}

const refusals: Record<may.Closed, () => Error> = {
  notAllowed: () => NotAllowed(),
  gone: () => Missing(),
  blockedByYou: () => BlockedByYou(),
  notReceiving: () => NotReceiving(),
  requestWaits: () => RequestWaits(),
}

type To = { userId: string; key: string }
type Ready = Awaited<ReturnType<typeof writing.prepareMessage>>

/** Writes the message, and each member's side of the conversation. An answer accepts the request. */
async function write(tx: Db, member: Member, { userId, key }: To, taken: Taken, ready: Ready): Promise<void> {
  const { low, high } = between(member.id, userId)
  const asks = may.asks(member, taken)
  await sql`/* with the commit */
    with written as (
      insert into message (id, low_id, high_id, author_id, key, body, segments, text, sent_at) overriding system value
      values (${taken.id}, ${low}, ${high}, ${member.id}, ${key}, ${ready.body}, ${ready.segments}, ${ready.text}, ${taken.at})
    ), mine as (
      insert into message_side as side (member_id, other_id, last_id, request, sent)
      values (${member.id}, ${userId}, ${taken.id}, ${asks ? 'mine' : null}, 1)
      on conflict (member_id, other_id) do update set last_id = excluded.last_id, request = excluded.request, sent = side.sent + 1
    )
    insert into message_side as side (member_id, other_id, last_id, request, unread)
    values (${userId}, ${member.id}, ${taken.id}, ${asks ? 'theirs' : null}, 1)
    on conflict (member_id, other_id) do update set last_id = excluded.last_id, request = excluded.request, unread = side.unread + 1`.execute(
    tx,
  )
}

function viewOf({ id, segments, sentAt, key, envelopeId }: Sent): MessageView {
  return { id, isMine: true, segments, sentAt: new Date(sentAt).toISOString(), key, envelopeId }
}
