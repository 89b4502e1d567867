import { sql, type RawBuilder } from 'kysely'
import type { Kind } from '#kind/contract.ts'

// The recipients of a notification: the parts of one statement for any number of recipients, which is sent together with the commit, so
// that a post makes no further round trip (apps/server/round-trips.test.ts). Few parts are nested, because Kysely assembles the statement for
// each post.

/** The cause of a notification. */
export type NotificationCause = {
  /** Null where no member did it, such as a bounty that nears its end. */
  by: 'member' | null
  /** Null where it is about the recipient. */
  about: 'post' | null
}

/**
 * Notifies those of the part `candidate` who want it, once per post and cause: by the kind of the lowest rank that they want. It is grouped
 * with the unread notification of the same kind and thing, and an event that another transaction noted at the same moment moves there.
 * `raised` has the members whose inboxes changed.
 */
export function recorded({ by, about }: NotificationCause): RawBuilder<unknown> {
  const isUntold = !by ? isUntoldByNobody : about ? isUntoldOfPost : isUntoldOfThem
  return sql`
    wanted as (
      select distinct on (member_id, post_kind, post_id, actor_id) * from candidate
      where (select count(*) from notification_mute as mute where mute.member_id = candidate.member_id and mute.kind = candidate.kind) = 0
        and ${isUntold}${by ? isWantedFromActor : sql``}
      order by member_id, post_kind, post_id, actor_id, rank),
    raised as (
      insert into notification (member_id, kind, group_key, topic_id, at, count)
      select member_id, min(kind), group_key, min(topic_id), max(at), count(*) from wanted group by member_id, group_key order by member_id, group_key
      on conflict (member_id, group_key) where read_at is null
        do update set at = greatest(notification.at, excluded.at), count = notification.count + excluded.count
      returning id, member_id, group_key),
    added as (
      insert into notification_event (notification_id, member_id, cause, actor_id, post_kind, post_id, at)
      select raised.id, member_id, cause, actor_id, post_kind, post_id, at from wanted join raised using (member_id, group_key)
      on conflict (member_id, cause, actor_id, post_kind, post_id) do update set notification_id = excluded.notification_id)`
}

// Each rule is a value that is looked up by an index for each candidate. As `not exists` it would be planned as a join, which reads whole
// tables while they are of middling size.

// Excludes the recipients' own actions, actors whom they block, and muted places: a choice for the thread overrides that for its tag,
// which overrides that for the tag above.
const isWantedFromActor = sql`
  and member_id <> actor_id
  and (select count(*) from member_block where member_block.member_id = candidate.member_id and other_id = actor_id) = 0
  and coalesce(
    (select level from follow where of = 'topic' and of_id = topic_id and follow.member_id = candidate.member_id),
    (select level from topic join tag on tag.id = topic.tag_id join follow on of = 'tag' and of_id in (tag.id, tag.parent_id)
      where topic.id = topic_id and follow.member_id = candidate.member_id order by of_id = tag.id desc limit 1),
    'normal') <> 'muted'`

const isUntoldOfPost = sql`(select count(*) from notification_event as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id = candidate.actor_id
    and told.post_kind = candidate.post_kind and told.post_id = candidate.post_id) = 0`

const isUntoldOfThem = sql`(select count(*) from notification_event as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id = candidate.actor_id
    and told.post_kind is null and told.post_id is null) = 0`

const isUntoldByNobody = sql`(select count(*) from notification_event as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id is null
    and told.post_kind = candidate.post_kind and told.post_id = candidate.post_id) = 0`

/** Every process invalidates its cache at its next poll, and pushes to the open streams of these members. */
export const inboxInvalidation = sql`
  insert into invalidation (by, tags) select gen_random_uuid(), array_agg('inbox:' || member_id)
  from (select distinct member_id from raised) as told having count(*) > 0`

/** The part `post`: a published post. An unpublished one notifies nobody. */
export const postOf: Readonly<Record<Kind, (id: string) => RawBuilder<unknown>>> = {
  topic: (id) => sql`
    select 'topic'::post_kind as kind, id, id as topic_id, author_id, published_at, body from topic where id = ${id} and status = 'published'`,
  comment: (id) => sql`
    select 'comment'::post_kind as kind, comment.id, topic_id, comment.author_id, comment.published_at, comment.body, quotes, topic.author_id as opener
    from comment join topic on topic.id = topic_id where comment.id = ${id} and comment.status = 'published'`,
  reply: (id) => sql`
    select 'reply'::post_kind as kind, reply.id, topic_id, reply.author_id, reply.published_at, reply.body, answers, comment_id, topic.author_id as opener
    from reply join topic on topic.id = topic_id where reply.id = ${id} and reply.status = 'published'`,
}

/**
 * The recipients beside those who are mentioned: the kind, the key that groups their notifications, and the rank, where a lower one says
 * more.
 */
const otherReaders: Readonly<Record<Kind, RawBuilder<unknown>>> = {
  topic: sql``,
  comment: sql`
    union all select 'quoted', author_id, id::text, 2 from comment where id = (select quotes from post)
    union all select 'commented', opener, topic_id::text, 3 from post`,
  // Of the other repliers only the latest: those who want every reply watch the thread.
  reply: sql`
    union all select 'replyAnswered', author_id, id::text, 2 from reply where id = (select answers from post)
    union all select 'replied', author_id, id::text, 3 from comment where id = (select comment_id from post)
    union all select 'repliedBeside', author_id, comment_id::text, 4 from (
      select author_id, comment_id from reply where comment_id = (select comment_id from post) and id <> (select id from post) and status = 'published'
      order by id desc limit 20) as beside
    union all select 'repliedInThread', opener, topic_id::text, 5 from post`,
}

/** The part `candidate` of the part `post`. */
export function readersOf(kind: Kind, { onlyMentioned }: { onlyMentioned: boolean }): RawBuilder<unknown> {
  return sql`
    select reader as member_id, says as kind, says || ' ' || thing as group_key, 'wrote' as cause, topic_id, author_id as actor_id,
      kind as post_kind, id as post_id, published_at as at, rank
    from post, (
      select 'mentioned', (named #>> '{}')::bigint, post.kind || ' ' || post.id, 1
      from post, jsonb_path_query(post.body, 'strict $.** ? (@.type == "mention").attrs.id') as named
      ${onlyMentioned ? sql`` : otherReaders[kind]}) as told (says, reader, thing, rank)`
}
