import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { threadKinds } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import * as tag from '#tag/server/tag.ts'

/** Beyond this number, members read the rest in the feed. */
const maxNotifications = 100
const maxPerSource = 20

/**
 * Creates notifications for new posts in watched threads and tags and by followed members, since the last call (fan-out on read),
 * so that a post costs the same however many watch. Posts that the member has read, or has a notification for, are skipped.
 */
export async function createNotifications(tx: Db, member: Member): Promise<void> {
  const since = await startOfPeriod(tx, member)
  const found = [inThreads(member, since), inTags(member, since), inFurtherTags(member, since), byMembers(member, since)]
  const candidates = sql`
    select ${member.id}::bigint as member_id, says as kind, says || ' ' || topic_id as group_key, 'wrote' as cause, topic_id, author_id as actor_id,
      kind as post_kind, id as post_id, at, case says when 'watched' then 0 else 1 end as rank
    from (${sql.join(found, sql` union all `)}) as news (says, topic_id, author_id, kind, id, at)
    where author_id <> ${member.id} order by rank, at desc limit ${maxNotifications}`
  await notification.notifyOfEvents(tx, candidates)
}

/** The start of the period, minus a minute for transactions that committed late. Posts before the follow are skipped. */
async function startOfPeriod(tx: Db, member: Member): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    with before as (select at from follow_progress where member_id = ${member.id}),
    noted as (
      insert into follow_progress (member_id, at) values (${member.id}, clock_timestamp())
      on conflict (member_id) do update set at = excluded.at
    )
    select greatest(coalesce((select at from before) - interval '1 minute', now() - interval '1 day'), now() - interval '30 days') as since`.execute(
    tx,
  )
  return rows[0]?.since ?? new Date()
}

function watchedTargets(member: Member, of: 'member' | 'tag' | 'topic') {
  return sql`select of_id, at from follow where member_id = ${member.id} and of = ${of} and level = 'watching'`
}

function inThreads(member: Member, since: Date): RawBuilder<unknown> {
  return sql`
    select 'watched', topic.id, its.author_id, 'comment'::post_kind, its.id, its.published_at
    from (${watchedTargets(member, 'topic')}) as watched
    join topic on topic.id = of_id and topic.status = 'published' and ${tag.seenBy(member)}
    left join topic_read_position as read on read.member_id = ${member.id} and read.topic_id = topic.id
    cross join lateral (
      select id, author_id, published_at from comment where topic_id = of_id and status = 'published'
        and published_at > greatest(watched.at, ${since}) and floor > coalesce(read.floor, 0)
      order by published_at desc limit ${maxPerSource}) as its`
}

function watchedTags(member: Member) {
  return sql`(
    select tag.id, watched.at from (${watchedTargets(member, 'tag')}) as watched join tag on of_id in (tag.id, tag.parent_id)
    where ${tag.seenBy(member, 'tag.id')}
  ) as watched`
}

function inTags(member: Member, since: Date): RawBuilder<unknown> {
  return sql`
    select 'watched', its.id, its.author_id, 'topic'::post_kind, its.id, its.published_at from ${watchedTags(member)} cross join lateral (
      select id, author_id, published_at from topic where tag_id = watched.id and status = 'published' and published_at > greatest(watched.at, ${since})
      order by published_at desc, id desc limit ${maxPerSource}) as its`
}

function inFurtherTags(member: Member, since: Date): RawBuilder<unknown> {
  return sql`
    select 'watched', topic.id, topic.author_id, 'topic'::post_kind, topic.id, topic.published_at from ${watchedTags(member)} cross join lateral (
      select topic_id from topic_tag where tag_id = watched.id and is_listed and last_reply_at > greatest(watched.at, ${since})
      order by last_reply_at desc, topic_id desc limit ${maxNotifications}) as its
    join topic on topic.id = its.topic_id and topic.status = 'published' and ${tag.seenBy(member)}
      and topic.published_at > greatest(watched.at, ${since})`
}

// The status is a literal, since a generic plan uses a partial index only if the statement itself implies its predicate.
function byMembers(member: Member, since: Date): RawBuilder<unknown> {
  const newest = sql`published_at > greatest(followed.at, ${since}) order by published_at desc, id desc limit ${maxPerSource}`
  const newPostsIn = (table: 'comment' | 'reply') => sql`(
    select topic_id, author_id, ${table}::post_kind, id, published_at from ${sql.table(table)} as post
    where author_id = of_id and thread_kind = its_kind and status = 'published' and ${newest})`
  return sql`
    select 'followedWrote', its.topic_id, its.author_id, its.kind, its.id, its.at
    from (${watchedTargets(member, 'member')}) as followed cross join unnest(${threadKinds}::text[]) as kinds (its_kind) cross join lateral (
      (select id, author_id, 'topic'::post_kind, id, published_at from topic
        where author_id = of_id and kind = its_kind and status = 'published' and ${newest})
      union all ${newPostsIn('comment')} union all ${newPostsIn('reply')}
    ) as its (topic_id, author_id, kind, id, at)
    join topic on topic.id = its.topic_id and topic.status = 'published' and ${tag.seenBy(member)}`
}
