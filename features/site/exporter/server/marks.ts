import { sql } from 'kysely'
import { exported, isExported, type Exported } from '#exporter/server/exported.ts'
import { postId, type Row, type SecretName } from '#importer/server/importer.ts'
import { bodyOf } from '#exporter/server/body.ts'
import type { Doc } from '#base/rich-text/document.ts'

export const accepted = exported({
  query: sql<{ topic_id: string; comment_id: string; adopted_at: Date }>`
    select topic_id, comment_id, adopted_at from adoption where ${isExported('adoption.topic_id')} order by topic_id, comment_id`,
  from: ({ topic_id: threadId, comment_id, adopted_at: at }) => ({ threadId, acceptedId: postId.comment(comment_id), at }),
})

export const votes = exported({
  query: sql<{ topic_id: string; member_id: string; places: string[]; voted_at: Date }>`
    select topic_id, member_id, voted_at, array(
      select place::text from (select id, row_number() over (order by place) as place from poll_option where poll_option.topic_id = poll_ballot.topic_id) as its
      where id = any(option_ids) order by its.place) as places
    from poll_ballot where ${isExported('poll_ballot.topic_id')} order by topic_id, member_id`,
  from: ({ topic_id: threadId, member_id: memberId, places: optionIds, voted_at: at }) => ({ threadId, memberId, optionIds, at }),
})

/** Parts that members have opened for good, here or in the forum before. A payment that was returned opens nothing. */
export const unlocks = exported({
  query: sql<{ thread_id: string; member_id: string; part_id: string }>`
    select thread_id, opened.member_id, part_id from (
      select part_id, member_id from hidden.unlock
        where transaction_id is null or not exists (select from ledger.transaction where reverses = unlock.transaction_id)
      union select part_id, member_id from hidden.opened_before) as opened
    join hidden.placed on placed.id = part_id where position is not null and ${isExported('placed.thread_id')} order by part_id, opened.member_id`,
  from: ({ thread_id: threadId, member_id: memberId, part_id: partId }) => ({ threadId, memberId, partId }),
})

export const likes = exported({
  query: sql<{ post_kind: 'topic' | 'comment' | 'reply'; post_id: string; member_id: string; at: Date }>`
    select post_kind, post_id, member_id, at from (
      select post_like.*, coalesce(comment.topic_id, reply.topic_id, post_id) as topic_id from post_like
        left join comment on post_kind = 'comment' and comment.id = post_id left join reply on post_kind = 'reply' and reply.id = post_id) as liked
    where ${isExported('liked.topic_id')} order by post_kind, post_id, member_id`,
  from: ({ post_kind, post_id, member_id: memberId, at }) => ({ postId: postId[post_kind](post_id), memberId, at }),
})

export const favourites = exported({
  query: sql<{ topic_id: string; member_id: string; at: Date; note: string; name: string | null; is_public: boolean | null }>`
    select topic_id, favourite.member_id, at, note, name, is_public from favourite left join favourite_folder on favourite_folder.id = folder_id
    where ${isExported('favourite.topic_id')} order by topic_id, favourite.member_id`,
  from: ({ topic_id: threadId, member_id: memberId, at, note, name, is_public: isPublic }) => ({
    threadId,
    memberId,
    at,
    note,
    folder: name === null ? null : { name, isPublic: isPublic === true },
  }),
})

type StoredFollow = {
  of: 'topic' | 'tag' | 'member'
  of_id: string
  member_id: string
  level: 'watching' | 'tracking' | 'normal' | 'muted'
  at: Date
  block: 'muted' | 'blocked' | null
}

export const follows = exported({
  query: sql<StoredFollow>`
    select * from (
      select of, of_id, member_id, level, at, null as block from follow where of <> 'topic' or ${isExported('follow.of_id')}
      union all select 'member', other_id, member_id, 'watching', at, how from member_block) as its
    order by of, of_id, member_id, block`,
  from: ({ of, of_id: id, member_id: memberId, level, at, block }): Row<'follows'> => ({
    of: of === 'topic' ? 'thread' : of,
    id,
    memberId,
    level,
    at,
    block,
  }),
})

export const readPositions = exported({
  query: sql<{ topic_id: string; member_id: string; floor: number; read_at: Date }>`
    select topic_id, member_id, floor, read_at from topic_read_position where ${isExported('topic_read_position.topic_id')}
    order by topic_id, member_id`,
  from: ({ topic_id: threadId, member_id: memberId, floor, read_at: at }) => ({ threadId, memberId, number: floor + 1, at }),
})

type StoredMessage = {
  id: string
  author_id: string
  reader_id: string
  body: Doc
  sent_at: Date
  is_read: boolean
  gone: string[]
}

/** Messages that one of the two still has, if they are asked for. What a clean-up took from its reader is gone for them. */
export function messages(secrets: ReadonlySet<SecretName>): Exported<'messages'> {
  const query = sql<StoredMessage>`
    select id, author_id, reader_id, body, sent_at, gone, coalesce(id <= read_to, false) as is_read from (
      select *, case author_id when low_id then high_id else low_id end as reader_id, array_remove(array[
        case when gone_low or cleaned_by is not null and author_id = high_id then low_id end,
        case when gone_high or cleaned_by is not null and author_id = low_id then high_id end], null)::text[] as gone from message) as sent
      left join conversation_participant as side on side.member_id = reader_id and side.other_id = author_id
    where ${secrets.has('messages') ? sql`cardinality(gone) < 2` : sql`false`} order by id`
  return exported({
    query,
    from: (its) => ({
      id: its.id,
      authorId: its.author_id,
      readerIds: [its.reader_id],
      title: '',
      body: bodyOf(its.body),
      sentAt: its.sent_at,
      isRead: its.is_read,
      goneFor: its.gone,
    }),
  })
}
