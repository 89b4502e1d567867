import type { Kind } from '#kind/contract.ts'
import type { ReminderKind } from '#notice/reminder-contract.ts'

// Whom a reminder reaches: the parts of one statement, however many are reminded, which leaves together with the commit, so that a post makes no trip
// more (apps/server/trips.test.ts). They are plain text, of which nothing is anybody's input: put together from parts by Kysely for each post, it
// took Node 0.15 ms of the 0.8 that a comment takes.

/** What members might be reminded of: candidates with `member_id, kind, group_key, topic_id, actor_id, post_kind, post_id, at, rank`. */
export type News = {
  /** What is told once of each post to each member: `wrote` for all that a post tells, whichever kind says it; otherwise the kind. */
  cause: ReminderKind | 'wrote'
  /** Null where nobody did it, such as a bounty that nears its end. */
  by: 'member' | null
  /** Null where it is about the member who is reminded. */
  about: 'post' | null
}

/**
 * Reminds those of the part `candidate` who want to hear of it, of each post once: by the first of its kinds that they want to hear of, which is
 * that of the lowest rank. It joins what they have not read of its kind about the same thing, and what another transaction noted at this very
 * moment moves there. `raised` has the members whose inboxes changed.
 */
export function reminded(news: News): string {
  const rules = [isWantedKind, isUntold(news), ...(news.by ? [isAnothers, isNotBlocked, isWhereTheyListen] : [])]
  return `
    wanted as (
      select distinct on (member_id, post_kind, post_id, actor_id) * from candidate where ${rules.join(' and ')}
      order by member_id, post_kind, post_id, actor_id, rank),
    raised as (
      insert into reminder (member_id, kind, group_key, topic_id, at, count)
      select member_id, min(kind), group_key, min(topic_id), max(at), count(*) from wanted group by member_id, group_key order by member_id, group_key
      on conflict (member_id, group_key) where read_at is null
        do update set at = greatest(reminder.at, excluded.at), count = reminder.count + excluded.count
      returning id, member_id, group_key),
    added as (
      insert into reminder_deed (reminder_id, member_id, cause, actor_id, post_kind, post_id, at)
      select raised.id, member_id, '${news.cause}', actor_id, post_kind, post_id, at from wanted join raised using (member_id, group_key)
      on conflict (member_id, cause, actor_id, post_kind, post_id) do update set reminder_id = excluded.reminder_id)`
}

/** Every process hears of it when it looks: who has their line open is told. `members` names a part of the statement that has `member_id`. */
export function inboxesTold(members: 'raised' | 'changed'): string {
  return `
    insert into touched (by, tags) select gen_random_uuid(), array_agg('inbox:' || member_id)
    from (select distinct member_id from ${members}) as told having count(*) > 0`
}

// Each rule is a value that is looked up by an index for each candidate. As `not exists` it would be planned as a join, which reads whole tables
// while they are of middling size.

const isWantedKind =
  '(select count(*) from reminder_mute as mute where mute.member_id = candidate.member_id and mute.kind = candidate.kind) = 0'

const isAnothers = 'member_id <> actor_id'

const isNotBlocked = '(select count(*) from blocking where blocking.member_id = candidate.member_id and other_id = actor_id) = 0'

// What is said of the thread stands above what is said of its tag, and that above what is said of the tag around it.
const isWhereTheyListen = `coalesce(
    (select level from following where of = 'topic' and of_id = topic_id and following.member_id = candidate.member_id),
    (select level from topic join tag on tag.id = topic.tag_id join following on of = 'tag' and of_id in (tag.id, tag.parent_id)
      where topic.id = topic_id and following.member_id = candidate.member_id order by of_id = tag.id desc limit 1),
    'normal') <> 'muted'`

function isUntold({ cause, by, about }: News): string {
  const isSameMember = by ? 'told.actor_id = candidate.actor_id' : 'told.actor_id is null'
  const isSamePost = about
    ? 'told.post_kind = candidate.post_kind and told.post_id = candidate.post_id'
    : 'told.post_kind is null and told.post_id is null'
  return `(select count(*) from reminder_deed as told
    where told.member_id = candidate.member_id and told.cause = '${cause}' and ${isSameMember} and ${isSamePost}) = 0`
}

/** Posts of each kind as they lie on the page; one of them is the part `post`. What does not lie there tells nothing. */
export const shown: Readonly<Record<Kind, string>> = {
  topic: "select id, id as topic_id, author_id, published_at, body from topic where status = 'published'",
  comment: `
    select comment.id, topic_id, comment.author_id, comment.published_at, comment.body, quotes, topic.author_id as opener
    from comment join topic on topic.id = topic_id where comment.status = 'published'`,
  reply: `
    select reply.id, topic_id, reply.author_id, reply.published_at, reply.body, answers, comment_id, topic.author_id as opener
    from reply join topic on topic.id = topic_id where reply.status = 'published'`,
}

/** Who reads what of a post, by what says most to them, and by which thing their reminders are one. */
const tells: Readonly<Record<Kind, Partial<Record<ReminderKind, string>>>> = {
  topic: {},
  comment: {
    quoted: 'select author_id, id from comment where id = (select quotes from post)',
    commented: 'select opener, topic_id from post',
  },
  reply: {
    replyAnswered: 'select author_id, id from reply where id = (select answers from post)',
    replied: 'select author_id, id from comment where id = (select comment_id from post)',
    // The latest alone: who wants to hear all of them watches.
    repliedBeside: `select author_id, comment_id from (
      select author_id, comment_id from reply where comment_id = (select comment_id from post) and id <> (select id from post) and status = 'published'
      order by id desc limit 20) as beside`,
    repliedInThread: 'select opener, topic_id from post',
  },
}

const mentions = `select (named #>> '{}')::bigint, null::bigint
  from post, jsonb_path_query(post.body, 'strict $.** ? (@.type == "mention").attrs.id') as named`

/** The part `candidate` of the part `post`. */
export function readersOf(kind: Kind, { onlyMentioned }: { onlyMentioned: boolean }): string {
  const reasons = Object.entries({ mentioned: mentions, ...(!onlyMentioned && tells[kind]) })
  const each = reasons.map(([says, who], rank) => `select '${says}', its.*, ${rank} from (${who}) as its`)
  return `
    select reader as member_id, kind, kind || ' ' || coalesce(thing::text, '${kind} ' || post.id) as group_key, topic_id, author_id as actor_id,
      '${kind}'::post_kind as post_kind, id as post_id, published_at as at, rank
    from post, (${each.join(' union all ')}) as told (kind, reader, thing, rank)`
}
