import { sql } from 'kysely'
import { Missing, NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, ErasedPost, MergedMembers } from '#base/server/moments.ts'
import type { Member } from '#base/server/http/route.ts'
import type { Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { OwnPost } from '#like/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Post = { kind: Kind; id: string }

/** Likes a post that this member may see, other than their own. Idempotent. */
export async function add(tx: Db, member: Member, { kind, id }: Post): Promise<void> {
  await setting.mustBeOpen(tx, 'allowLikes')
  if (!member.may('post.like')) throw NotAllowed()
  const { rows } = await sql<posts.Thread & { postAuthorId: string; postStatus: string; isNew: boolean }>`
    with added as (
      insert into post_like (post_kind, post_id, member_id) select ${kind}, id, ${member.id} from ${sql.table(kind)} where id = ${id}
      on conflict do nothing returning post_id
    )
    select ${posts.threadColumns}, post.author_id as "postAuthorId", post.status as "postStatus",
      exists (select from added) as "isNew"
    from ${sql.table(kind)} as post join topic on topic.id = ${kind === 'topic' ? sql`post.id` : sql`post.topic_id`}
    where post.id = ${id}`.execute(tx)
  const { id: topicId, status, postStatus, postAuthorId, isNew } = posts.requireVisible(member, rows[0])
  if (status !== 'published' || postStatus !== 'published') throw Missing()
  if (postAuthorId === member.id) throw OwnPost()
  if (isNew)
    await notification.notifyOfEvent(tx, { memberId: postAuthorId, kind: 'liked', actorId: member.id, post: { kind, id, topicId } })
}

export async function remove(tx: Db, member: Member, post: Post): Promise<void> {
  const { kind, id } = post
  const { rows } = await sql<{ authorId: string }>`
    delete from post_like where post_kind = ${kind} and post_id = ${id} and member_id = ${member.id}
    returning (select author_id from ${sql.table(kind)} where id = post_id) as "authorId"`.execute(tx)
  for (const { authorId } of rows) await notification.retract(tx, { memberId: authorId, kind: 'liked', actorId: member.id, post })
}

/** The likes of a post go along with its content. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  await sql`
    insert into post_like (post_kind, post_id, member_id, at)
    select ${to.kind}, ${to.id}, member_id, at from post_like where post_kind = ${from.kind} and post_id = ${from.id}
    on conflict do nothing`.execute(tx)
  await tx.deleteFrom('post_like').where('post_kind', '=', from.kind).where('post_id', '=', from.id).execute()
}

/** The likes of merged members: a post that both liked is liked once, and their own posts by neither. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await wallet.mergeLikers(tx, { from, into })
  await sql`
    insert into post_like (post_kind, post_id, member_id, at)
    select post_kind, post_id, ${into}, at from post_like where member_id = ${from} on conflict do nothing`.execute(tx)
  await tx.deleteFrom('post_like').where('member_id', '=', from).execute()
  await sql`
    delete from post_like where member_id = ${into} and ${into} = case post_kind
      when 'topic' then (select author_id from topic where id = post_id)
      when 'comment' then (select author_id from comment where id = post_id)
      else (select author_id from reply where id = post_id) end`.execute(tx)
}

/** Deletes the likes of a post that is erased; of a thread, with those of all posts under it. */
export async function postErased(tx: Db, { kind, id, keepsThread }: ErasedPost): Promise<void> {
  if (keepsThread) return
  const under =
    kind === 'topic'
      ? sql`union all select 'comment', id from comment where topic_id = ${id} union all select 'reply', id from reply where topic_id = ${id}`
      : sql``
  await sql`
    delete from post_like using (select ${kind}::post_kind as kind, ${id}::bigint as id ${under}) as its
    where post_kind = its.kind and post_id = its.id`.execute(tx)
}
