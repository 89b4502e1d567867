import { sql } from 'kysely'
import { NotAllowed, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as audit from '#audit/server/audit.ts'
import * as batch from '#batch/server/batch.ts'
import { CannotUndo, type decidedReviews, type undoReview } from '#review/contract.ts'
import { mayDecideAbout, refuseOwn } from '#review/server/own-post.ts'
import { ofPost, summary, withPosts } from '#review/server/rows.ts'
import { lockPost } from '#review/server/lock-review.ts'
import { postCalled } from '#kind/contract.ts'
import * as user from '#user/server/user.ts'
import * as posts from '#post/server/post.ts'

const keys = { decided: { by: sql`review.decided_at`, as: 'timestamptz' } } as const
const status = ofPost<'pending' | 'published' | 'deleted'>('status')
const deletedBy = ofPost<'author' | 'staff' | null>('deleted_by')
const deletedAt = ofPost<Date | null>('deleted_at')
const answers = sql<number>`case review.kind when 'topic' then topic.comment_count when 'comment' then comment.reply_count else 0 end`
const isPendingAgain = sql<boolean>`exists (select 1 from review as other
  where other.kind = review.kind and other.post_id = review.post_id and other.state <> 'approved' and other.id <> review.id)`
// Not undone: a post that was answered, an edit that is published (it has its revisions), and a post removed after the decision, for
// another reason.
const canUndo = sql<boolean>`not ${isPendingAgain} and topic.purged_at is null and (review.kind = 'topic' or topic.status = 'published') and case
  when review.state = 'approved' then not review.is_edit and ${status} = 'published' and ${answers} = 0
  else ${status} <> 'deleted' or (not review.is_edit and ${deletedBy} = 'staff' and ${deletedAt} <= review.decided_at) end`

/** Decided reviews, newest first, with the actor and the reason. */
export async function list(db: Db, by: Staff, input: ParsedInput<typeof decidedReviews>): Promise<Answer<typeof decidedReviews>> {
  let query = rows(db).where('review.state', '<>', 'waiting')
  if (input.kind)
    query = query.where('review.kind', '=', postCalled(input.kind).kind).where('topic.kind', '=', postCalled(input.kind).thread)
  if (input.outcome) query = query.where('review.state', '=', input.outcome)
  if (input.author) query = query.where(sql<boolean>`review.author_id in (${user.memberIdsNamed(input.author)})`)
  if (input.since) query = query.where('review.decided_at', '>=', new Date(input.since))
  if (input.until) query = query.where('review.decided_at', '<', new Date(input.until))
  if (input.batchId) query = query.where(sql<boolean>`review.id in (${batch.inBatch('review', input.batchId)})`)
  if (input.by === 'me') query = query.where('decided_by', '=', by.staff.id)
  const page = await paged(db, query, { ...input, keys, id: sql`review.id` })
  const [mayDecide, people] = await Promise.all([
    mayDecideAbout(db, by),
    user.authors(
      db,
      page.rows.map(({ authorId }) => authorId),
    ),
  ])
  return {
    ...page,
    rows: page.rows.flatMap(({ authorId, reason_zh, reason_en, at, ...row }) => {
      const author = people.get(authorId)
      if (!author || !at) return []
      const canUndo = row.canUndo && mayDecide(authorId) && (!row.isGone || by.staff.may('content.remove'))
      return [{ ...row, canUndo, author, at, reason: reason_zh ? { zh: reason_zh, en: reason_en ?? '' } : null }]
    }),
  }
}

/** Reopens a decided review. A published post is withdrawn, unless it was answered. */
export async function undo(tx: Db, by: Staff, client: ClientInfo, { reviewId }: ParsedInput<typeof undoReview>): Promise<void> {
  const { about, outcome } = await reopen(tx, by, reviewId)
  await audit.note(tx, by.staff, client, { action: 'review.undo', about, before: { outcome } })
}

/** The same without a log entry; refuses, where a version is given, a review that was decided again since. */
export async function reopen(tx: Db, by: Staff, reviewId: string, version?: number): Promise<{ about: string; outcome: string }> {
  const post = await lockPost(tx, reviewId)
  const now = await tx.selectFrom('review').select('version').where('id', '=', reviewId).forUpdate().executeTakeFirst()
  if (version !== undefined && now?.version !== version) throw CannotUndo()
  const was = await rows(tx).where('review.id', '=', reviewId).where('review.state', '<>', 'waiting').executeTakeFirst()
  if (!was) throw CannotUndo()
  await refuseOwn(tx, by, was.authorId)
  if (!was.canUndo) throw CannotUndo()
  if (was.isGone && !by.staff.may('content.remove')) throw NotAllowed()
  if (was.outcome === 'approved') await withdraw(tx, post)
  else if (post.status === 'deleted') await posts.putBack(tx, [post])
  await tx.updateTable('review').set(undecided).where('id', '=', reviewId).execute()
  return { about: `${post.kind} ${post.id}`, outcome: was.outcome }
}

// The author sees the post among their own as pending, and gets no notification of a removal.
async function withdraw(tx: Db, post: posts.Post): Promise<void> {
  await posts.takeDown(tx, [post], { by: 'staff', notifies: false })
  const waits = { status: 'pending' as const, deleted_by: null, deleted_from: null, deleted_at: null, deleted_reason: null }
  await tx.updateTable(post.kind).set(waits).where('id', '=', post.id).execute()
}

const undecided = {
  state: 'waiting' as const,
  decided_by: null,
  decided_at: null,
  reason_zh: null,
  reason_en: null,
  version: sql<number>`version + 1`,
}

function rows(db: Db) {
  return withPosts(db)
    .leftJoin('staff', 'staff.id', 'review.decided_by')
    .select(['review.id', 'review.kind', 'topic.kind as thread', 'review.post_id as postId', 'review.topic_id as topicId', 'topic.title'])
    .select(['review.is_edit as isEdit', 'review.author_id as authorId', 'reason_zh', 'reason_en', 'review.decided_at as at'])
    .select([sql<'approved' | 'rejected'>`review.state`.as('outcome'), sql<string>`coalesce(staff.account, '')`.as('by')])
    .select([summary.as('summary'), canUndo.as('canUndo'), sql<boolean>`${status} = 'deleted'`.as('isGone')])
}
