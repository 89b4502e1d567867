import { sql, type RawBuilder } from 'kysely'
import type { Kind } from '#kind/contract.ts'

// Whom a reminder reaches: the parts of one statement, however many are reminded, which leaves together with the commit, so that a post makes no trip
// more (apps/server/trips.test.ts). Few of its parts stand in others, for Kysely puts it together for each post.

/** What members might be reminded of. */
export type News = {
  /** Null where nobody did it, such as a bounty that nears its end. */
  by: 'member' | null
  /** Null where it is about the member who is reminded. */
  about: 'post' | null
}

/**
 * Reminds those of the part `candidate` who want to hear of it, of each post once for each cause: by the first of its kinds that they want to hear
 * of, which is that of the lowest rank. It joins what they have not read of its kind about the same thing, and what another transaction noted at
 * this very moment moves there. `raised` has the members whose inboxes changed.
 */
export function reminded({ by, about }: News): RawBuilder<unknown> {
  const isUntold = !by ? isUntoldByNobody : about ? isUntoldOfPost : isUntoldOfThem
  return sql`
    wanted as (
      select distinct on (member_id, post_kind, post_id, actor_id) * from candidate
      where (select count(*) from reminder_mute as mute where mute.member_id = candidate.member_id and mute.kind = candidate.kind) = 0
        and ${isUntold}${by ? isHeardBySomebody : sql``}
      order by member_id, post_kind, post_id, actor_id, rank),
    raised as (
      insert into reminder (member_id, kind, group_key, topic_id, at, count)
      select member_id, min(kind), group_key, min(topic_id), max(at), count(*) from wanted group by member_id, group_key order by member_id, group_key
      on conflict (member_id, group_key) where read_at is null
        do update set at = greatest(reminder.at, excluded.at), count = reminder.count + excluded.count
      returning id, member_id, group_key),
    added as (
      insert into reminder_deed (reminder_id, member_id, cause, actor_id, post_kind, post_id, at)
      select raised.id, member_id, cause, actor_id, post_kind, post_id, at from wanted join raised using (member_id, group_key)
      on conflict (member_id, cause, actor_id, post_kind, post_id) do update set reminder_id = excluded.reminder_id)`
}

// Each rule is a value that is looked up by an index for each candidate. As `not exists` it would be planned as a join, which reads whole tables
// while they are of middling size.

// Theirs is no news to them, nor is what is done by whom they block, or where they muted: what is said of the thread stands above what is said of
// its tag, and that above what is said of the tag around it.
const isHeardBySomebody = sql`
  and member_id <> actor_id
  and (select count(*) from blocking where blocking.member_id = candidate.member_id and other_id = actor_id) = 0
  and coalesce(
    (select level from following where of = 'topic' and of_id = topic_id and following.member_id = candidate.member_id),
    (select level from topic join tag on tag.id = topic.tag_id join following on of = 'tag' and of_id in (tag.id, tag.parent_id)
      where topic.id = topic_id and following.member_id = candidate.member_id order by of_id = tag.id desc limit 1),
    'normal') <> 'muted'`

const isUntoldOfPost = sql`(select count(*) from reminder_deed as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id = candidate.actor_id
    and told.post_kind = candidate.post_kind and told.post_id = candidate.post_id) = 0`

const isUntoldOfThem = sql`(select count(*) from reminder_deed as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id = candidate.actor_id
    and told.post_kind is null and told.post_id is null) = 0`

const isUntoldByNobody = sql`(select count(*) from reminder_deed as told
  where told.member_id = candidate.member_id and told.cause = candidate.cause and told.actor_id is null
    and told.post_kind = candidate.post_kind and told.post_id = candidate.post_id) = 0`

/** Every process hears of it when it looks: who has their line open is told. */
export const inboxesTold = sql`
  insert into touched (by, tags) select gen_random_uuid(), array_agg('inbox:' || member_id)
  from (select distinct member_id from raised) as told having count(*) > 0`

/** The part `post`: a post as it lies on the page. What does not lie there tells nothing. */
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

/** Who reads what of a post beside those it mentions: as what, by which thing their reminders are one, and the lower the number the more it says. */
const tells: Readonly<Record<Kind, RawBuilder<unknown>>> = {
  topic: sql``,
  comment: sql`
    union all select 'quoted', author_id, id::text, 2 from comment where id = (select quotes from post)
    union all select 'commented', opener, topic_id::text, 3 from post`,
  // Of those who replied beside it the latest alone: who wants to hear all of them watches.
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
      ${onlyMentioned ? sql`` : tells[kind]}) as told (says, reader, thing, rank)`
}
