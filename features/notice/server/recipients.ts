import { sql, type RawBuilder } from 'kysely'
import type { Kind } from '#kind/contract.ts'
import type { ReminderKind } from '#notice/reminder-contract.ts'

// Whom a reminder reaches: the parts of one statement, however many are reminded, which leaves together with the commit.

/** What members might be reminded of. */
export type News = {
  /** What is told once of each post by each member: `wrote` for all that a post tells, whichever kind says it; otherwise the kind. */
  cause: ReminderKind | 'wrote'
  /** Null where nobody did it, such as a bounty that nears its end. */
  by: 'member' | null
  /** Null where it is about the member who is reminded. */
  about: 'post' | null
  /** A query of `member_id, kind, group_key, topic_id, actor_id, post_kind, post_id, at, rank`. Of several kinds the one of the lowest rank says most. */
  candidates: RawBuilder<unknown>
}

/**
 * Reminds those who want to hear of it, of each post once: by the first of its kinds that they want to hear of. It joins what they have not
 * read of its kind about the same thing, and what another transaction noted at this very moment moves there. `raised` has the members whose
 * inboxes changed.
 */
export function reminded({ candidates, ...news }: News): RawBuilder<unknown> {
  const rules = [isWantedKind, isUntold(news), ...(news.by ? [isAnothers, isNotBlocked, isWhereTheyListen] : [])]
  return sql`
    candidate as (${candidates}),
    wanted as (
      select distinct on (member_id, post_kind, post_id, actor_id) * from candidate where ${sql.join(rules, sql` and `)}
      order by member_id, post_kind, post_id, actor_id, rank),
    raised as (
      insert into reminder (member_id, kind, group_key, topic_id, at, count)
      select member_id, min(kind), group_key, min(topic_id), max(at), count(*) from wanted group by member_id, group_key order by member_id, group_key
      on conflict (member_id, group_key) where read_at is null
        do update set at = greatest(reminder.at, excluded.at), count = reminder.count + excluded.count
      returning id, member_id, group_key),
    added as (
      insert into reminder_deed (reminder_id, member_id, cause, actor_id, post_kind, post_id, at)
      select raised.id, member_id, ${news.cause}, actor_id, post_kind, post_id, at from wanted join raised using (member_id, group_key)
      on conflict (member_id, cause, actor_id, post_kind, post_id) do update set reminder_id = excluded.reminder_id)`
}

/** Every process hears of it when it looks: who has their line open is told. `members` names a part of the statement that has `member_id`. */
export function inboxesTold(members: 'raised' | 'changed'): RawBuilder<unknown> {
  return sql`
    insert into touched (by, tags) select gen_random_uuid(), array_agg('inbox:' || member_id)
    from (select distinct member_id from ${sql.table(members)}) as told having count(*) > 0`
}

// Each rule is a value that is looked up by an index for each candidate. As `not exists` it would be planned as a join, which reads whole tables
// while they are of middling size.

const isWantedKind = sql`(select count(*) from reminder_mute as mute where mute.member_id = candidate.member_id and mute.kind = candidate.kind) = 0`

const isAnothers = sql`member_id <> actor_id`

const isNotBlocked = sql`(select count(*) from blocking where blocking.member_id = candidate.member_id and other_id = actor_id) = 0`

// What is said of the thread stands above what is said of its tag, and that above what is said of the tag around it.
const isWhereTheyListen = sql`coalesce(
    (select level from following where of = 'topic' and of_id = topic_id and following.member_id = candidate.member_id),
    (select level from topic join tag on tag.id = topic.tag_id join following on of = 'tag' and of_id in (tag.id, tag.parent_id)
      where topic.id = topic_id and following.member_id = candidate.member_id order by of_id = tag.id desc limit 1),
    'normal') <> 'muted'`

function isUntold({ cause, by, about }: Omit<News, 'candidates'>): RawBuilder<unknown> {
  const isSameMember = by ? sql`told.actor_id = candidate.actor_id` : sql`told.actor_id is null`
  const isSamePost = about
    ? sql`told.post_kind = candidate.post_kind and told.post_id = candidate.post_id`
    : sql`told.post_kind is null and told.post_id is null`
  return sql`(select count(*) from reminder_deed as told
    where told.member_id = candidate.member_id and told.cause = ${cause} and ${isSameMember} and ${isSamePost}) = 0`
}

/** The part `post`: a post as it lies on the page. What does not lie there tells nothing. */
export function postOf({ kind, id }: { kind: Kind; id: string }): RawBuilder<unknown> {
  const isShown = sql`${sql.ref(`${kind}.id`)} = ${id} and ${sql.ref(`${kind}.status`)} = 'published'`
  if (kind === 'topic') return sql`select id, id as topic_id, author_id, published_at, body from topic where ${isShown}`
  const post = sql.table(kind)
  const refersTo = kind === 'comment' ? sql`quotes` : sql`answers, comment_id`
  return sql`
    select ${post}.id, topic_id, ${post}.author_id, ${post}.published_at, ${post}.body, ${refersTo}, topic.author_id as opener
    from ${post} join topic on topic.id = topic_id where ${isShown}`
}

const mostBeside = 20

/** Whom each kind of post tells, by what says most to them, and by what their reminders are one. */
const tells = {
  topic: {},
  comment: {
    quoted: sql`select author_id, id from comment where id = (select quotes from post)`,
    commented: sql`select opener, topic_id from post`,
  },
  reply: {
    replyAnswered: sql`select author_id, id from reply where id = (select answers from post)`,
    replied: sql`select author_id, id from comment where id = (select comment_id from post)`,
    repliedBeside: sql`(select author_id, comment_id from reply
      where comment_id = (select comment_id from post) and id <> (select id from post) and status = 'published' order by id desc limit ${mostBeside})`,
    repliedInThread: sql`select opener, topic_id from post`,
  },
} satisfies Record<Kind, Partial<Record<ReminderKind, RawBuilder<unknown>>>>

const mentions = sql`select (named #>> '{}')::bigint, null::bigint
  from post, jsonb_path_query(post.body, 'strict $.** ? (@.type == "mention").attrs.id') as named`

/** The candidates of the part `post`. */
export function readersOf(kind: Kind, { onlyMentioned }: { onlyMentioned: boolean }): RawBuilder<unknown> {
  const reasons = Object.entries({ mentioned: mentions, ...(!onlyMentioned && tells[kind]) })
  const each = reasons.map(([says, who], rank) => sql`select ${says}, its.*, ${rank}::int from (${who}) as its`)
  return sql`
    select reader as member_id, kind, kind || ' ' || coalesce(thing::text, ${`${kind} `} || post.id) as group_key, topic_id, author_id as actor_id,
      ${kind}::post_kind as post_kind, id as post_id, published_at as at, rank
    from post, (${sql.join(each, sql` union all `)}) as told (kind, reader, thing, rank)`
}
