import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { dispatch, type VisibilityPost } from '#base/server/moments.ts'
import * as bounty from '#bounty/server/bounty.ts'
import type { Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { resumeAdoptions, transferAdoptions, suspendAdoptions, removeSelfAdoptions } from '#post/server/adoption.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import { heatOf } from '#post/server/heat.ts'
import type { Post } from '#post/server/lock.ts'
import type { Thread } from '#post/server/thread.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** A post that is published or unpublished. */
export type VisiblePost = {
  kind: Kind
  id: string
  authorId: string
  /** The comment itself, or the comment above a reply. */
  commentId: string | null
  /** Its state before the change. */
  thread: Pick<Thread, 'id' | 'kind' | 'tagId' | 'parentTagId' | 'alsoListedIn' | 'status'>
}

/**
 * Applies all effects of posts becoming visible that were not. Their rows are written and the threads locked. A new post has fewer effects,
 * most of them in the statement that inserts it (publishRemark, publish).
 */
export async function onPublished(tx: Db, posts: readonly VisiblePost[]): Promise<void> {
  await bounty.onPublished(tx, posts)
  await redEnvelope.openOrEnd(tx, posts)
  await count(tx, posts, 1)
  await wallet.award(tx, posts)
  await resumeAdoptions(tx, posts)
  await notification.setPostsHidden(tx, posts, false)
  await dispatch(tx, 'postsPublished', inMoment(posts))
}

/** Applies all effects of posts becoming invisible. */
export async function onUnpublished(tx: Db, posts: readonly VisiblePost[]): Promise<void> {
  await suspendAdoptions(tx, posts)
  await bounty.onUnpublished(tx, posts)
  await redEnvelope.openOrEnd(tx, posts)
  await count(tx, posts, -1)
  await wallet.revokeAward(tx, posts)
  await notification.setPostsHidden(tx, posts, true)
  await dispatch(tx, 'postsUnpublished', inMoment(posts))
}

/** Applies the effects of a move: of posts to another thread, or of their thread to another tag or kind. */
export async function onMoved(tx: Db, posts: readonly VisiblePost[], to: VisiblePost['thread']): Promise<void> {
  const there = withThread(posts, to)
  const leaving = posts.filter(({ kind, thread }) => kind !== 'topic' && thread.id !== to.id)
  await suspendAdoptions(tx, leaving)
  await redEnvelope.openOrEnd(tx, leaving)
  if (to.kind !== 'question') await bounty.onUnpublished(tx, posts)
  await countInThreads(tx, leaving, -1)
  await countInThreads(tx, withThread(leaving, to), 1)
  await notification.updateForMovedPosts(tx, leaving, to.id)
  await resumeAdoptions(tx, leaving)
  const [before, after] = [contributionsOf(posts), contributionsOf(there)]
  // A post that moves from a removed thread to a published one counts as an additional one.
  const countThem = before.length === after.length ? user.countInTags : user.count
  await countThem(tx, before, -1)
  await countThem(tx, after, 1)
  await tag.count(tx, openingTags(posts), -1)
  await tag.count(tx, openingTags(there), 1)
  invalidateThreads(tx, [...posts, ...there])
  await dispatch(tx, 'postsMoved', { posts: inMoment(posts), to: { topicId: to.id, kind: to.kind, tagId: to.tagId } })
}

/** Applies the effects of a transfer of posts, visible or not, to another author. */
export async function onAuthorChanged(tx: Db, all: readonly Post[], memberId: string): Promise<void> {
  const posts = all.filter(({ status }) => status === 'published')
  const transferredPosts = posts.map((post) => ({ ...post, authorId: memberId }))
  await user.lock(
    tx,
    [...posts, ...transferredPosts].map(({ authorId }) => authorId),
  )
  await user.count(tx, contributionsOf(posts), -1)
  await user.count(tx, contributionsOf(transferredPosts), 1)
  await transferAdoptions(tx, posts, memberId)
  await removeSelfAdoptions(
    tx,
    all.map(({ thread }) => thread.id),
  )
  await bounty.onTransferred(tx, posts, memberId)
  await wallet.transferRewards(tx, posts, memberId)
  await notification.postsTransferred(tx, posts, memberId)
  invalidateThreads(tx, all)
}

/** All visible posts under the opening of a thread, or under these comments of it. */
export async function visibleUnder(tx: Db, thread: VisiblePost['thread'], commentIds?: readonly string[]): Promise<VisiblePost[]> {
  const under = (column: string) => (commentIds ? sql`${sql.ref(column)} = any(${commentIds}::bigint[])` : sql`topic_id = ${thread.id}`)
  const { rows } = await sql<Omit<VisiblePost, 'thread'>>`
    select 'comment' as kind, id, author_id as "authorId", id as "commentId" from comment where status = 'published' and ${under('id')}
    union all
    select 'reply', id, author_id, comment_id from reply where status = 'published' and ${under('comment_id')}`.execute(tx)
  return rows.map((row) => ({ ...row, thread }))
}

function inMoment(posts: readonly VisiblePost[]): VisibilityPost[] {
  return posts.map(({ kind, id, authorId, thread }) => ({ kind, id, authorId, topicId: thread.id }))
}

function withThread(posts: readonly VisiblePost[], thread: VisiblePost['thread']): VisiblePost[] {
  return posts.map((post) => ({ ...post, thread }))
}

// The same lock order as of writers: thread, comment, member, tag.
async function count(tx: Db, posts: readonly VisiblePost[], sign: 1 | -1): Promise<void> {
  if (posts.length === 0) return
  await countInThreads(
    tx,
    posts.filter(({ kind }) => kind !== 'topic'),
    sign,
  )
  await countReplies(
    tx,
    posts.filter(({ kind }) => kind === 'reply'),
    sign,
  )
  await user.count(tx, contributionsOf(posts), sign)
  await user.countUnder(
    tx,
    posts.flatMap(({ kind, id }) => (kind === 'topic' ? id : [])),
    sign,
  )
  await tag.count(tx, openingTags(posts), sign)
  invalidateThreads(tx, posts)
}

async function countInThreads(tx: Db, remarks: readonly VisiblePost[], sign: 1 | -1): Promise<void> {
  if (remarks.length === 0) return
  const settings = await setting.all(tx)
  await sql`
    update topic set comment_count = topic.comment_count + delta.more, reply_count = topic.reply_count + delta.replies,
      heat = ${heatOf(settings, { comments: sql`(topic.comment_count + delta.more)` })},
      last_reply_at = coalesce(newest.published_at, topic.published_at), last_reply_by = newest.author_id
    from ${deltas(remarks, sign, ({ thread }) => thread.id)} join topic as same on same.id = delta.id left join lateral (${lastReply}) as newest on true
    where topic.id = delta.id`.execute(tx)
}

/** Sets the floor counters of a thread. */
export async function setFloors(tx: Db, topicId: string, floors: { floors: number; author_floors: number }): Promise<void> {
  await tx.updateTable('topic').set(floors).where('id', '=', topicId).execute()
}

/** Updates the last reply of a thread; of a sunk one, up to that time. */
export async function updateLastReply(tx: Db, topicId: string): Promise<void> {
  await sql`update topic set last_reply_at = coalesce(newest.published_at, topic.published_at), last_reply_by = newest.author_id
    from topic as same left join lateral (${lastReply}) as newest on true where same.id = topic.id and topic.id = ${topicId}`.execute(tx)
}

async function countReplies(tx: Db, replies: readonly VisiblePost[], sign: 1 | -1): Promise<void> {
  if (replies.length === 0) return
  await sql`update comment set reply_count = reply_count + delta.more
    from ${deltas(replies, sign, ({ commentId }) => commentId ?? '')} where comment.id = delta.id`.execute(tx)
}

// One index lookup for each of the two.
const lastReply = sql`
  select author_id, published_at from (
    (select author_id, published_at from comment where topic_id = same.id and status = 'published'
      and published_at <= coalesce(same.sunk_at, 'infinity') order by published_at desc limit 1)
    union all
    (select author_id, published_at from reply where topic_id = same.id and status = 'published'
      and published_at <= coalesce(same.sunk_at, 'infinity') order by published_at desc limit 1)
  ) as remark order by published_at desc limit 1`

/** The changes of the counters by group, in total and of replies. */
function deltas(posts: readonly VisiblePost[], sign: 1 | -1, idOf: (post: VisiblePost) => string) {
  const groups = Map.groupBy(posts, idOf)
  const counts = [...groups.values()].map((its) => sign * its.length)
  const replies = [...groups.values()].map((its) => sign * its.filter(({ kind }) => kind === 'reply').length)
  return sql`unnest(${[...groups.keys()]}::bigint[], ${counts}::int[], ${replies}::int[]) as delta (id, more, replies)`
}

/** The posts that count for their authors: remarks count while their thread is visible. */
function contributionsOf(posts: readonly VisiblePost[]): user.CountedPost[] {
  return posts
    .filter(({ kind, thread }) => kind === 'topic' || thread.status === 'published')
    .map(({ kind, authorId, thread }) => ({ kind, thread: thread.kind, memberId: authorId, tagId: thread.tagId }))
}

function openingTags(posts: readonly VisiblePost[]): string[] {
  return posts.flatMap(({ kind, thread }) => (kind === 'topic' ? thread.tagId : []))
}

function invalidateThreads(tx: Db, posts: readonly VisiblePost[]): void {
  for (const thread of new Map(posts.map((post) => [post.thread.id, post.thread])).values()) invalidateThread(tx, thread)
  if (posts.some(({ kind }) => kind === 'topic')) invalidate(tx, 'titles')
}
