import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'
import type { Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { Settings } from '#setting/contract.ts'
import type { WaitingView } from '#writing/contract.ts'
import { traits, type Kind, type ThreadKind } from '#kind/contract.ts'
import type { PreparedPost } from '#writing/server/post-limits.ts'

/** The reason for which a post is held for review: a rule for all, a rule for this member, or sensitive words. */
export type ReviewReason = { why: 'everybody' | 'members' | 'words'; words: string[] }

type ReviewInput = {
  kind: Kind
  thread: ThreadKind
  tagId: string
  post: Pick<PreparedPost, 'sensitive'>
  authorId?: string
  at?: Date | undefined
}

/** Whether and why a post is held for review; null to publish at once. Posts by staff, moderators' edits and seeds are never held. */
export function reviewReason(settings: Settings, by: Member, { tagId, ...judged }: ReviewInput): ReviewReason | null {
  const { kind, thread, post } = judged
  if (!mayBeHeld(settings, by, judged)) return null
  const { reviews, rights } = traits[thread][kind]
  const words = post.sensitive
  if (settings[reviews] === 'everybody') return { why: words.length > 0 ? 'words' : 'everybody', words }
  if (by.may(rights.unreviewed, tagId)) return null
  return { why: words.length > 0 ? 'words' : 'members', words }
}

/** Whether a post could be held in some tag. */
export function mayBeHeld(
  settings: Settings,
  by: Member,
  { kind, thread, post, authorId = by.id, at }: Omit<ReviewInput, 'tagId'>,
): boolean {
  if (at || by.staff || authorId !== by.id) return false
  const rule = settings[traits[thread][kind].reviews]
  return rule === 'everybody' || rule === 'members' || (rule !== 'nobody' && post.sensitive.length > 0)
}

/** A held post, with the pending edit if the post is published. */
export type HeldText = {
  kind: Kind
  postId: string
  topicId: string
  authorId: string
  edit?: { title?: string; post: PreparedPost }
}

/** Puts a post into the review queue, or moves it to its end. */
export async function holdForReview(tx: Db, { why, words }: ReviewReason, text: HeldText): Promise<void> {
  const { kind, postId: post_id, topicId: topic_id, authorId: author_id, edit } = text
  if (edit && edit.post.fileIds.length > 0) await file.markUsed(tx, edit.post.fileIds)
  if (edit && kind === 'topic' && edit.post.hidden !== 'waiting') await hiddenPart.stage(tx, topic_id, edit.post.hidden)
  const row = {
    kind,
    post_id,
    topic_id,
    author_id,
    is_edit: edit !== undefined,
    why,
    words,
    ...(edit && { ...contentOf(edit), ...withoutEditor }),
  }
  await tx
    .insertInto('review')
    .values(row)
    .onConflict((open) =>
      open
        .columns(['kind', 'post_id'])
        .where(sql<boolean>`review.state <> 'approved'`)
        .doUpdateSet({ ...row, ...requeued }),
    )
    .execute()
}

const requeued = {
  state: 'waiting' as const,
  asked_at: sql<Date>`clock_timestamp()`,
  version: sql<number>`review.version + 1`,
  claimed_by: null,
  claimed_until: null,
}

const withoutEditor = { edited_by: null, own_title: null, own_body: null }

export function contentOf({ title, post }: { title?: string; post: PreparedPost }) {
  const { body, segments, summary, pictures, fileIds: file_ids, tagId: tag_id, tagIds, ai } = post
  const tags = { ...(tag_id !== undefined && { tag_id }), ...(tagIds && { tag_ids: [...tagIds] }) }
  return { title: title ?? null, body, segments, summary, pictures, file_ids, ...tags, ...(ai && { ai_generated: ai.isGenerated }) }
}

/** Records the editor of a pending post. The author's own text is kept until the decision if the editor is another. */
export async function recordEditor(tx: Db, by: Member, kind: Kind, postId: string): Promise<void> {
  const post = (column: 'title' | 'body') => sql`(select ${sql.ref(column)} from ${sql.table(kind)} where id = ${postId})`
  const title = kind === 'topic' ? sql`coalesce(own_title, title, ${post('title')})` : sql`null`
  await sql`
    update review set version = version + 1, edited_by = nullif(${by.id}::bigint, author_id),
      own_title = case when author_id <> ${by.id} then ${title} end,
      own_body = case when author_id <> ${by.id} then coalesce(own_body, body, ${post('body')}) end
    where kind = ${kind} and post_id = ${postId} and state <> 'approved'`.execute(tx)
}

export async function dropHeldEdit(tx: Db, kind: Kind, postId: string): Promise<void> {
  await openReview(tx, kind, postId).where('is_edit', '=', true).execute()
  if (kind === 'topic') await hiddenPart.discardStaged(tx, postId)
}

/** A condition on a review: the post was rejected; its author may edit and resubmit it. */
export const isRejected = sql<boolean>`(review.state = 'rejected' and not review.is_edit)`

/** A pending post that staff removed returns to the queue with its restore. One that was rejected before stays rejected. */
export async function requeueReview(tx: Db, kind: Kind, postId: string): Promise<void> {
  await sql`update review set state = 'waiting', decided_by = null, decided_at = null, reason_zh = null, reason_en = null, version = version + 1
    where kind = ${kind} and post_id = ${postId} and ${isRejected}
      and decided_at >= (select deleted_at from ${sql.table(kind)} where id = ${postId})`.execute(tx)
}

function openReview(tx: Db, kind: Kind, postId: string) {
  return tx.deleteFrom('review').where('kind', '=', kind).where('post_id', '=', postId).where('state', '<>', 'approved')
}

/** Assigns pending reviews of these comments and their replies to another topic. */
export async function moveReviews(tx: Db, topicId: string, commentIds: readonly string[]): Promise<void> {
  await sql`update review set topic_id = ${topicId} where kind = 'comment' and post_id = any(${commentIds}::bigint[])`.execute(tx)
  await sql`update review set topic_id = ${topicId} where kind = 'reply'
    and post_id in (select id from reply where comment_id = any(${commentIds}::bigint[]))`.execute(tx)
}

/** The review state of a post or its edit, for its author; null if it is neither pending nor rejected. */
export async function reviewState(db: Db, kind: Kind, postId: string, authorId: string): Promise<WaitingView> {
  const row = await openReviews(db, authorId).where('kind', '=', kind).where('post_id', '=', postId).executeTakeFirst()
  if (!row) return null
  const { state, reason_zh, reason_en } = row
  return { rejected: state === 'rejected' ? { zh: reason_zh ?? '', en: reason_en ?? '' } : null }
}

export async function rejectedIds(db: Db, kind: Kind, postIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('review')
    .select('post_id')
    .where('kind', '=', kind)
    .where('post_id', '=', anyOf(postIds))
    .where(isRejected)
    .execute()
  return new Set(rows.map(({ post_id }) => post_id))
}

/** An author's pending or rejected posts in a topic, as a subquery. */
export function openReviewsIn(db: Db, topicId: Value<string>, authorId: Value<string>) {
  return openReviews(db, authorId).where('topic_id', '=', topicId).where('kind', '<>', 'topic')
}

function openReviews(db: Db, authorId: Value<string>) {
  return db
    .selectFrom('review')
    .select(['state', 'reason_zh', 'reason_en'])
    .where('author_id', '=', authorId)
    .where('state', '<>', 'approved')
}

type HeldEdit = { title: string | null; body: Doc; tagId: string | null; tagIds: string[] | null; aiGenerated: boolean | null }

export async function heldEdit(db: Db, kind: Kind, postId: string, authorId: string): Promise<HeldEdit | null> {
  const row = await db
    .selectFrom('review')
    .select(['title', 'body', 'tag_id as tagId', 'tag_ids as tagIds', 'ai_generated as aiGenerated'])
    .where('kind', '=', kind)
    .where('post_id', '=', postId)
    .where('author_id', '=', authorId)
    .where('is_edit', '=', true)
    .where('state', '<>', 'approved')
    .executeTakeFirst()
  return row ? { ...row, body: row.body as Doc } : null
}
