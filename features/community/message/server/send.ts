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
import { columnsFor } from '#message/server/as-member.ts'
import * as may from '#message/server/may.ts'
import { lockRelation, type Sent, type LockedRelation } from '#message/server/relation.ts'
import * as notification from '#notification/server/notification.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as role from '#role/server/role.ts'
import { FunctionClosed, type Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { TooSoon } from '#writing/contract.ts'
import * as writing from '#writing/server/writing.ts'

type Draft = Input<typeof sendCall>
export type CaptchaOutcome = Awaited<ReturnType<typeof captcha.consume>>

/** Consumes the captcha, if any. Whether one is due is decided when the message is stored. */
export async function prepare({ input, client, inSeparateTransaction }: PrepareContext<Draft, Member>): Promise<CaptchaOutcome> {
  return input.captchaId ? inSeparateTransaction((tx) => captcha.consume(tx, 'message', client, input)) : 'missing'
}

type SendOptions = Partial<Pick<ClientInfo, 'origin'>> & {
  solved?: CaptchaOutcome
  /** The time of seeded data, which today's limits do not apply to. */ at?: Date
}

/** Sends a message. A repeated key returns the message that was sent first, even if it was deleted since. */
export async function send(
  tx: Db,
  member: Member,
  { userId, key, body: document, ...given }: Draft,
  { origin, solved = 'missing', at }: SendOptions,
): Promise<MessageView> {
  if (userId === member.id) throw Yourself()
  const settings = await setting.all(tx)
  const found = await lockRelation(tx, settings, member, { userId, key })
  if (found.before?.isToThem === false) throw KeyOfAnother()
  if (found.before) return viewOf(found.before)
  if (!at) refuse(member, settings, found, solved)
  const taken = { ...found, at: at ?? found.at }
  const prepared = await writing.prepareMessage(tx, { by: member, document, origin, at })
  await write(tx, member, { userId, key }, taken, prepared)
  await file.attach(tx, prepared.fileIds, { messageId: taken.id })
  const envelopeId = await redEnvelope.give(tx, member, { message: { id: taken.id, to: userId } }, given)
  if (!at && !may.isRequest(member, taken)) await notification.noteMessage(tx, { to: userId, from: member.id })
  invalidate(tx, `inbox:${userId}`, `inbox:${member.id}`)
  return viewOf({ id: taken.id, segments: JSON.parse(prepared.segments), sentAt: taken.at.toISOString(), key, envelopeId })
}

function refuse(member: Member, settings: Settings, relation: LockedRelation, solved: CaptchaOutcome): void {
  if (!settings.allowMessages) throw FunctionClosed()
  role.unlessBanned('message')(member)
  const why = may.closedReason(member, settings, relation)
  if (why) throw refusals[why]()
  const seconds = may.secondsToWait(member, settings, relation)
  if (seconds > 0) throw TooSoon({ seconds })
  if (may.needsCaptcha(member, relation)) captcha.requireRight(solved)
}

const refusals: Record<may.ClosedReason, () => Error> = {
  notAllowed: () => NotAllowed(),
  gone: () => Missing(),
  blockedByYou: () => BlockedByYou(),
  notReceiving: () => NotReceiving(),
  requestWaits: () => RequestWaits(),
}

type Recipient = { userId: string; key: string }
type PreparedMessage = Awaited<ReturnType<typeof writing.prepareMessage>>

/** Writes the message, and each member's side of the conversation. An answer accepts the request. */
async function write(
  tx: Db,
  member: Member,
  { userId, key }: Recipient,
  relation: LockedRelation,
  prepared: PreparedMessage,
): Promise<void> {
  const { low, high } = columnsFor(member.id, userId)
  const asks = may.isRequest(member, relation)
  await sql`/* with the commit */
    with written as (
      insert into message (id, low_id, high_id, author_id, key, body, segments, text, sent_at) overriding system value
      values (${relation.id}, ${low}, ${high}, ${member.id}, ${key}, ${prepared.body}, ${prepared.segments}, ${prepared.text}, ${relation.at})
    ), mine as (
      insert into conversation_participant as side (member_id, other_id, last_id, request, sent)
      values (${member.id}, ${userId}, ${relation.id}, ${asks ? 'mine' : null}, 1)
      on conflict (member_id, other_id) do update set last_id = excluded.last_id, request = excluded.request, sent = side.sent + 1
    )
    insert into conversation_participant as side (member_id, other_id, last_id, request, unread)
    values (${userId}, ${member.id}, ${relation.id}, ${asks ? 'theirs' : null}, 1)
    on conflict (member_id, other_id) do update set last_id = excluded.last_id, request = excluded.request, unread = side.unread + 1`.execute(
    tx,
  )
}

function viewOf({ id, segments, sentAt, key, envelopeId }: Sent): MessageView {
  return { id, isMine: true, segments, sentAt: new Date(sentAt).toISOString(), key, envelopeId }
}
