import { sql, type RawBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { dispatch } from '#base/server/moments.ts'
import type { Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { threadKinds, type RemarkKind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateForRemark } from '#post/server/invalidate-thread.ts'
import { heatOf } from '#post/server/heat.ts'
import { lockPublishedRemark } from '#post/server/lock.ts'
import { fileOwnerOf, duplicateScopeOf } from '#post/server/post-location.ts'
import { upsertReadPosition } from '#post/server/read-position.ts'
import { lockThread, requireVisible, threadColumns, type Thread } from '#post/server/thread.ts'
import type { Settings } from '#setting/contract.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'
import * as writing from '#writing/server/writing.ts'

/** A post in a thread: a comment under the opening, or a reply under a comment. */
export type NewRemark = {
  kind: RemarkKind
  /** The thread of a comment, or the comment of a reply. */
  under: string
  /** The comment quoted by a comment, or the reply answered by a reply. */
  refersTo: string | null
  settings: Settings
  ready: writing.PreparedPost
  at?: Date | undefined
}

/** The target of a remark; `refersTo` is null if the post it refers to is not visible. */
export type RemarkTarget = { thread: Thread; refersTo: string | null }

type PublishedRemark = { id: string; floor: number | null; isPending: boolean }
type InsertedRow = Thread & InsertedRemark
type InsertedRemark = {
  postId: string
  floor: number | null
  refersTo: string | null
  isCounted: boolean
  isUnique: boolean
  /** The new value of the thread, if the remark moves it up. */
  last_reply_at?: Date
}

/**
 * Publishes a remark, or holds it for review: one statement finds, locks, counts and inserts. The callback throws if the remark is not
 * allowed in the thread as it is now. Refuses posts over the rate limit and duplicates.
 */
export async function publishRemark(
  tx: Db,
  author: Member,
  remark: NewRemark,
  authorize: (place: RemarkTarget) => void,
): Promise<PublishedRemark> {
  const { kind, under, refersTo, settings, ready, at } = remark
  const { text, fileIds } = ready
  const hold = await holdOf(tx, author, remark)
  const commentId = kind === 'reply' ? under : null
  const place = duplicateScopeOf({ kind, commentId, refersTo, thread: { id: under }, title: '' })
  const throttle = writing.throttle(settings, author, { kind, at, text, fileIds, place, isHeld: hold !== null })
  const [row] = await insertRemark(tx, author, remark, throttle)
  if (!row) throw Missing()
  const { postId: id, floor, isCounted, isUnique, refersTo: found, ...thread } = row
  authorize({ thread: requireVisible(author, thread), refersTo: found })
  await writing.refuseIfThrottled(tx, throttle, { isCounted, isUnique })
  await file.attach(tx, fileIds, fileOwnerOf({ kind, id, commentId: commentId ?? id, refersTo, thread }))
  if (hold) await writing.holdForReview(tx, hold, { kind, postId: id, topicId: thread.id, authorId: author.id })
  else {
    await wallet.award(tx, [{ kind, id, authorId: author.id, thread, at }])
    await notification.notifyOfPost(tx, { kind, id })
    invalidateForRemark(tx, thread, author.id)
    await dispatch(tx, 'postsPublished', [{ kind, id, authorId: author.id, topicId: thread.id }])
  }
  return { id, floor, isPending: hold !== null }
}

/** The reason to hold the remark for review, if any. The thread is locked early only where settings could require review. */
async function holdOf(tx: Db, author: Member, { kind, under, settings, ready: post, at }: NewRemark): Promise<writing.ReviewReason | null> {
  const reviewInput = { kind, post, at }
  if (!threadKinds.some((thread) => writing.mayBeHeld(settings, author, { ...reviewInput, thread }))) return null
  const thread = kind === 'reply' ? (await lockPublishedRemark(tx, author, 'comment', under)).thread : await lockThread(tx, author, under)
  return writing.reviewReason(settings, author, { ...reviewInput, thread: thread.kind, tagId: thread.tagId })
}

// The lock order of all writers: thread, comment, member.
async function insertRemark(tx: Db, author: Member, remark: NewRemark, throttle: writing.Throttle): Promise<InsertedRow[]> {
  const { kind, under, refersTo } = remark
  const isShown = throttle.increment === 1
  const parts = [
    sql`place as (${isShown ? bumpThread(author, remark) : selectThread(remark)})`,
    ...(kind === 'reply' ? [sql`comment_above as (${isShown ? countReply(under) : lockComment(under)})`] : []),
    ...(refersTo === null ? [] : [sql`referred as (${lockReference(remark)})`]),
    sql`added as (${insertRow(author, remark, isShown)})`,
    sql`counted as (${writing.counted(tx, throttle).where(sql<boolean>`exists (select from added)`)})`,
    sql`deduplicated as (${writing.deduplicated(tx, throttle)})`,
  ]
  if (isShown) parts.push(sql`wrote as (${user.incrementWritten(tx, kind, sql`select ${author.id}::bigint, "tagId", kind from place`)})`)
  if (isShown && kind === 'comment')
    parts.push(sql`seen as (${upsertReadPosition(tx, sql`select ${author.id}::bigint, id, floors from place`)})`)
  const refers = refersTo === null ? sql`null` : sql`(select id from referred)`
  const { rows } = await sql<InsertedRow>`
    with ${sql.join(parts, sql`, `)}
    select place.*, added.id as "postId", added.floor, ${refers} as "refersTo", ${writing.passesThrottle} from place, added`.execute(tx)
  return rows
}

/** Counts the remark in its thread, which locks the row, and moves the thread up unless it is sunk. */
function bumpThread({ id: authorId }: Member, remark: NewRemark): RawBuilder<unknown> {
  const count = sql`(topic.comment_count + 1)`
  const at = remark.at ?? sql`clock_timestamp()`
  const isAuthors = sql`case when topic.author_id = ${authorId} then 1 else 0 end`
  return sql`
    update topic set comment_count = ${count}, reply_count = topic.reply_count + ${remark.kind === 'reply' ? 1 : 0},
      heat = ${heatOf(remark.settings, { comments: count, writer: authorId })},
      last_reply_at = case when topic.sunk_at is null then greatest(topic.last_reply_at, ${at}) else topic.last_reply_at end,
      last_reply_by = case when topic.sunk_at is null then ${authorId}::bigint else topic.last_reply_by end
      ${remark.kind === 'comment' ? sql`, floors = topic.floors + 1, author_floors = topic.author_floors + ${isAuthors}` : sql``}
    where topic.id = ${threadOf(remark)} returning ${threadColumns}, topic.last_reply_at`
}

/** The thread of a held remark, which is not counted yet. */
function selectThread(remark: NewRemark): RawBuilder<unknown> {
  return sql`select ${threadColumns} from topic where topic.id = ${threadOf(remark)} for update`
}

function threadOf({ kind, under }: NewRemark): RawBuilder<unknown> {
  return kind === 'comment' ? sql`${under}::bigint` : sql`(select topic_id from comment where id = ${under})`
}

function countReply(commentId: string): RawBuilder<unknown> {
  return sql`update comment set reply_count = reply_count + 1 from place where ${isParent(commentId)} returning comment.id`
}

function lockComment(commentId: string): RawBuilder<unknown> {
  return sql`select comment.id from place, comment where ${isParent(commentId)} for update of comment`
}

function isParent(commentId: string): RawBuilder<unknown> {
  return sql`comment.id = ${commentId} and comment.topic_id = place.id and comment.status = 'published'`
}

/** The quoted or answered post, locked for share. */
function lockReference({ kind, under, refersTo }: NewRemark): RawBuilder<unknown> {
  const column = kind === 'comment' ? 'topic_id' : 'comment_id'
  return sql`select its.id from place, ${sql.table(kind)} as its
    where its.id = ${refersTo} and its.${sql.ref(column)} = ${under} and its.status = 'published' for share of its`
}

function insertRow({ id: authorId }: Member, remark: NewRemark, isShown: boolean): RawBuilder<unknown> {
  const { kind, refersTo, at, ready } = remark
  const { body, segments, summary, ai } = ready
  const now = isShown ? sql`case when place."sunkAt" is null then place.last_reply_at else clock_timestamp() end` : sql`clock_timestamp()`
  const own = isShown ? sql`place.floors, case when place."authorId" = ${authorId} then place."authorFloors" end` : sql`null, null`
  const row = sql`place.id, place.kind, ${authorId}::bigint, ${isShown ? 'published' : 'pending'}, ${body}::jsonb, ${segments}::jsonb, ${summary},
    ${at ?? now}::timestamptz, ${ai?.isGenerated ? ai.by : null}, ${refersTo === null ? sql`null` : sql`(select id from referred)`}`
  const columns = sql`topic_id, thread_kind, author_id, status, body, segments, text, published_at, ai_label`
  if (kind === 'comment')
    return sql`insert into comment (${columns}, quotes, floor, author_floor) select ${row}, ${own} from place returning id, floor`
  return sql`insert into reply (${columns}, answers, comment_id) select ${row}, comment_above.id from place, comment_above
    returning id, null::int as floor`
}
