import { sql } from 'kysely'
import type { RefusalValues } from '#base/contract.ts'
import { truncate } from '#base/characters.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { say, type Language } from '#base/server/words.ts'
import * as account from '#account/server/account.ts'
import type { Composer, Piece } from '#delivery/server/delivery.ts'
import { nameOf, postPath } from '#kind/contract.ts'
import { sentenceOf } from '#notification/all-kinds.ts'
import type { NotificationChannel, NotificationView } from '#notification/notification-contract.ts'
import { namesIn } from '#notification/notification-words.ts'
import * as notifications from '#notification/server/notifications.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const excerptLength = 160

/** Composes an e-mail of notifications at the time of sending: those that are unread and visible at that moment. */
export const composeNotifications: Composer = async (
  db,
  { memberId = '', notifications: ids = '', senders = '', token = '' },
  language,
) => {
  const reader = await account.viewerOf(db, memberId)
  if (!reader) return null
  const pieces = await piecesFor(db, reader, { channel: 'email', ids: parseIds(ids), senders: parseIds(senders), language })
  const [first] = pieces
  if (!first) return null
  const stop = absoluteUrl(`/unsubscribe?token=${token}`)
  return {
    values: { summary: pieces.length === 1 ? first.text : say(language, 'notification.manyNew', { count: pieces.length }) },
    pieces,
    foot: [
      { text: say(language, 'notification.toAll'), to: absoluteUrl('/user/control/remindList') },
      { text: say(language, 'notification.toChoose'), to: absoluteUrl('/user/control/remindSettings') },
      { text: say(language, 'notification.toStop'), to: stop },
    ],
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

type DigestParams = { channel: NotificationChannel; ids: readonly string[]; senders: readonly string[]; language: Language }

/** The items that this member still wants through this channel, has not read, and may see. */
export async function piecesFor(db: Db, reader: Member, { channel, ids, senders, language }: DigestParams): Promise<Piece[]> {
  const rows = await db
    .selectFrom('notification_preference')
    .select('kind')
    .where('member_id', '=', reader.id)
    .where('channel', '=', channel)
    .execute()
  const kinds = new Set(rows.map(({ kind }) => kind))
  const unread = ids.length > 0 ? await notifications.unreadAmong(db, reader, ids) : []
  const writers = kinds.has('message') ? await writersAmong(db, reader, senders) : []
  return [
    ...writers.map(({ id, name }) => ({
      text: say(language, sentenceOf('message'), { name }),
      to: absoluteUrl(`/user/control/privateMessageChatList?userId=${id}`),
    })),
    ...unread.filter(({ kind }) => kinds.has(kind)).map((one) => pieceOf(one, language)),
  ]
}

async function writersAmong(db: Db, reader: Member, senders: readonly string[]): Promise<{ id: string; name: string }[]> {
  const { allowMessages } = await setting.all(db)
  if (!allowMessages || senders.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select other_id::text as id from unread_message_senders(${reader.id}::bigint, ${senders}::bigint[])`.execute(db)
  const people = await user.authors(
    db,
    rows.map(({ id }) => id),
  )
  return [...people.values()].filter(({ isDeactivated }) => !isDeactivated)
}

function pieceOf(notification: NotificationView, language: Language): Piece {
  const { kind, post, members, people } = notification
  const who = say(language, 'notification.who', namesIn(notification))
  const word = (part: 'topic' | 'comment') =>
    post ? say(language, `kind.${nameOf({ kind: part, thread: post.thread })}`, { count: 1 }) : ''
  const values: RefusalValues = post
    ? {
        kind: post.kind,
        thread: post.thread,
        what: say(language, `kind.${nameOf(post)}`, { count: 1 }),
        remark: word('comment'),
        opening: word('topic'),
      }
    : {}
  const text = say(language, sentenceOf(kind), { who, people, ...values })
  if (post) return { text, to: absoluteUrl(postPath(post)), about: post.title, excerpt: truncate(post.excerpt, excerptLength) }
  return members[0] ? { text, to: absoluteUrl(`/user/control/home?userId=${members[0].id}`) } : { text }
}

function parseIds(ids: string): string[] {
  return ids ? ids.split(',') : []
}
