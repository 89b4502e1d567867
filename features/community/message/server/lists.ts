import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { truncate } from '#base/characters.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { conversation, conversations, MessageView } from '#message/contract.ts'
import { asMember, isBetween, isShownTo } from '#message/server/as-member.ts'
import * as may from '#message/server/may.ts'
import { relationTo } from '#message/server/relation.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const perPage = 30
const shownLength = 180

type ConversationListParams = ParsedInput<typeof conversations>
type Row = {
  otherId: string
  id: string
  lastId: string
  authorId: string
  text: string
  file: string | null
  sentAt: Date
  unread: number
}
type Page = { rows: Row[]; total: number; requests: number }

/** A member's conversations, the latest first; with a search, those whose partner or messages match. */
export async function list(db: Db, member: Member, params: ConversationListParams): Promise<Output<typeof conversations>> {
  const { rows, total, requests } = await asMember(db, member.id, (as) => pageOf(as, member, params))
  const { pages } = pagePosition(total, params.page, params.limit)
  const people = await user.authors(
    db,
    rows.map(({ otherId }) => otherId),
  )
  return {
    conversations: rows.flatMap(({ otherId, id, lastId, authorId, text, file, sentAt, unread }) => {
      const other = people.get(otherId)
      const last = {
        id,
        isMine: authorId === member.id,
        text: truncate(text.replaceAll('\n', ' '), shownLength),
        file,
        sentAt: sentAt.toISOString(),
      }
      return other ? [{ member: other, last, lastId, unread }] : []
    }),
    requests,
    total,
    page: params.page,
    pages,
  }
}

async function pageOf(as: Db, member: Member, { in: folder, search, page, limit }: ConversationListParams): Promise<Page> {
  const own = sql`conversation_participant.member_id = ${member.id} and last_id > 0`
  const isIn = folder === 'requests' ? sql`request = 'theirs'` : sql`request is distinct from 'theirs'`
  const found = search ? matching(member, search) : sql`conversation_participant.last_id`
  const which = sql`
    from conversation_participant cross join lateral (select ${found} as id) as found where ${own} and ${isIn} and found.id is not null`
  const { rows: counted } = await sql<{ total: number; requests: number }>`
    select (select count(*)::int ${which}) as total, (select count(*)::int from conversation_participant where ${own} and request = 'theirs') as requests`.execute(
    as,
  )
  const { rows } = await sql<Row>`
    select other_id as "otherId", message.id, last_id as "lastId", message.author_id as "authorId", message.text, message.sent_at as "sentAt", unread,
      (select name #>> '{}' from jsonb_path_query_first(message.body, 'strict $.** ? (@.type == "file").attrs.name') as name
        where message.text = name #>> '{}') as file
    from (
      select conversation_participant.*, found.id as found_id ${which} order by last_id desc limit ${limit} offset ${(page - 1) * limit}
    ) as side join message on message.id = side.found_id
    order by last_id desc`.execute(as)
  return { rows, total: counted[0]?.total ?? 0, requests: counted[0]?.requests ?? 0 }
}

/** The latest matching message of a conversation, or the latest of all where the partner's name matches; else none. */
function matching(member: Member, search: string): RawBuilder<unknown> {
  const like = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`coalesce((
      select message.id from message
      where message.low_id = least(member_id, other_id) and message.high_id = greatest(member_id, other_id)
        and ${isShownTo(member.id)} and message.text ilike ${like} order by message.id desc limit 1
    ), (select last_id from member where member.id = other_id and coalesce(nickname, account) ilike ${like}))`
}

/** The messages of a conversation: the latest, those before one, or those after one; always oldest first. */
export async function chat(
  db: Db,
  member: Member,
  { userId, before, after }: ParsedInput<typeof conversation>,
): Promise<Output<typeof conversation>> {
  if (userId === member.id) throw Missing()
  const [settings, people] = await Promise.all([setting.all(db), user.authors(db, [userId])])
  const other = people.get(userId)
  if (!other) throw Missing()
  const [its, { rows, lastId, unread }] = await Promise.all([
    relationTo(db, settings, member, userId),
    asMember(db, member.id, (as) => messages(as, member, { userId, before, after })),
  ])
  const found = rows.slice(0, perPage)
  return {
    member: other,
    messages: (after ? found : found.toReversed()).map((row) => messageView(row, member)),
    hasMore: rows.length > perPage,
    lastId,
    unread,
    request: its.request,
    closed: may.closedReason(member, settings, its),
    needsCaptcha: may.needsCaptcha(member, its),
  }
}

type Message = { id: string; authorId: string; key: string; segments: MessageView['segments']; sentAt: Date; envelopeId: string | null }
type MessageCursor = { userId: string; before: string | undefined; after: string | undefined }

async function messages(
  as: Db,
  member: Member,
  { userId, before, after }: MessageCursor,
): Promise<{ rows: Message[]; lastId: string | null; unread: number }> {
  const { rows } = await sql<Message>`
    select message.id, author_id as "authorId", key, segments, sent_at as "sentAt", ${redEnvelope.envelopeOfMessage} as "envelopeId" from message
    where ${isBetween(member.id, userId)} and ${isShownTo(member.id)}
      ${before ? sql`and message.id < ${before}` : sql``} ${after ? sql`and message.id > ${after}` : sql``}
    order by message.id ${after ? sql`asc` : sql`desc`} limit ${perPage + 1}`.execute(as)
  const side = await as
    .selectFrom('conversation_participant')
    .select(['last_id', 'unread'])
    .where('member_id', '=', member.id)
    .where('other_id', '=', userId)
    .executeTakeFirst()
  return { rows, lastId: side && side.last_id !== '0' ? side.last_id : null, unread: side?.unread ?? 0 }
}

function messageView({ authorId, key, sentAt, ...its }: Message, member: Member): MessageView {
  const isMine = authorId === member.id
  return { ...its, isMine, sentAt: sentAt.toISOString(), key: isMine ? key : null }
}
