import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'

const unreadDays = 3

/** Sample members have notifications of likes and of posts, older ones read. The first topic welcomes new members. */
export async function seedNotifications(tx: Db, now: Date): Promise<void> {
  const candidates = sql`
    select post.author_id as member_id, 'liked' as kind, 'liked ' || post_kind || ' ' || post_id as group_key, 'liked' as cause, topic_id,
      post_like.member_id as actor_id, post_kind, post_id, post_like.at, 0 as rank
    from post_like join (
      select 'topic' as kind, id, id as topic_id, author_id from topic
      union all select 'comment', id, topic_id, author_id from comment
      union all select 'reply', id, topic_id, author_id from reply
    ) as post on post.kind = post_kind and post.id = post_id`
  await notification.notifyOfEvents(tx, candidates)
  await sql`update notification set at = adopted_at from notification_event, adoption
    where notification.kind = 'accepted' and notification_id = notification.id and comment_id = post_id`.execute(tx)
  await sql`update notification set read_at = at where at < ${now}::timestamptz - make_interval(days => ${unreadDays})`.execute(tx)
  await sql`
    insert into welcome (topic_id) select id from topic where kind = 'topic' and status = 'published' and title like '欢迎%' order by id limit 1`.execute(
    tx,
  )
}
