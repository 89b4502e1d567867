import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { NotAllowed, type ParsedInput } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { IsOnThePage, ReasonNeeded, type approveReview, type rejectReview, type removeReview } from '#review/contract.ts'
import { keepAuthorVersion } from '#review/server/author-version.ts'
import { lockForDecision } from '#review/server/lock-review.ts'
import type * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

/** Publishes a pending post or a pending edit. Returns the entry for the audit log. */
export async function approve(tx: Db, by: Staff, decision: ParsedInput<typeof approveReview>): Promise<audit.AuditEntry> {
  const { review, post, about } = await lockForDecision(tx, by, decision)
  if (review.is_edit) await posts.replaceContent(tx, by, post, readyFrom(review), post.authorId)
  else await posts.approve(tx, post)
  const isOthers = review.own_body !== null && (await keepAuthorVersion(tx, review))
  await settle(tx, by.staff, review.id, { state: 'approved', ...clearedContent })
  await notification.notify(tx, review.author_id, {
    kind: 'postApproved',
    post: await notificationView(tx, post, review),
    isEdit: review.is_edit,
  })
  if (isOthers)
    await notification.notify(tx, review.author_id, { kind: 'postEdited', post: await notificationView(tx, post, review), reason: '' })
  return { action: 'review.approve', about, after: { isEdit: review.is_edit } }
}

/** Rejects a post with a reason. Returns the entry for the audit log. */
export async function reject(
  tx: Db,
  by: Staff,
  { reasonZh, reasonEn, ...decision }: ParsedInput<typeof rejectReview>,
): Promise<audit.AuditEntry> {
  const [zh, en] = [reasonZh || reasonEn, reasonEn || reasonZh]
  if (!zh) throw ReasonNeeded()
  const { review, post, about } = await lockForDecision(tx, by, decision)
  await settle(tx, by.staff, review.id, { state: 'rejected', reason_zh: zh, reason_en: en })
  const facts = { post: await notificationView(tx, post, review), isEdit: review.is_edit, reason: { zh, en } }
  await notification.notify(tx, review.author_id, { kind: 'postRejected', ...facts })
  return { action: 'review.reject', about, reason: zh, after: { isEdit: review.is_edit } }
}

/** Removes a post that was never published. */
export async function remove(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { reason, ...decision }: ParsedInput<typeof removeReview>,
): Promise<void> {
  if (!by.staff.may('content.remove')) throw NotAllowed()
  const { review, post, about } = await lockForDecision(tx, by, decision)
  if (review.is_edit) throw IsOnThePage()
  await posts.takeDown(tx, [post], { by: 'staff', reason, removal: { by: by.staff.id } })
  await settle(tx, by.staff, review.id, { state: 'rejected', reason_zh: reason, reason_en: reason })
  await audit.note(tx, by.staff, client, { action: 'review.remove', about, ...(reason && { reason }) })
}

// The author knows the post by its new title and text, published or not.
async function notificationView(
  tx: Db,
  post: posts.Post,
  { title, summary }: Pick<Content, 'title' | 'summary'>,
): Promise<notification.PostView> {
  const known = await posts.postView(tx, post)
  return { ...known, ...(title && { title }), ...(summary && known.kind !== 'topic' && { excerpt: summary }) }
}

type Settlement = { state: 'approved' | 'rejected'; reason_zh?: string; reason_en?: string }

async function settle(tx: Db, actor: StaffActor, reviewId: string, settled: Settlement): Promise<void> {
  const by = { decided_by: actor.id, decided_at: sql<Date>`clock_timestamp()`, claimed_by: null, claimed_until: null }
  await tx
    .updateTable('review')
    .set({ ...settled, ...by, version: sql`version + 1` })
    .where('id', '=', reviewId)
    .execute()
}

// The published text need not be stored here too.
const clearedContent = {
  own_title: null,
  own_body: null,
  title: null,
  body: null,
  segments: null,
  summary: null,
  pictures: null,
  file_ids: [],
  tag_id: null,
  tag_ids: null,
  ai_generated: null,
}

type Content = {
  kind: Kind
  title: string | null
  body: unknown
  segments: unknown
  summary: string | null
  pictures: unknown
  file_ids: string[]
  tag_id: string | null
  tag_ids: string[] | null
  ai_generated: boolean | null
}

function readyFrom({
  kind,
  title,
  body,
  segments,
  summary,
  pictures,
  file_ids: fileIds,
  tag_id: tagId,
  tag_ids: tagIds,
  ai_generated: isGenerated,
}: Content): writing.PreparedPost {
  return {
    title: title ?? '',
    body: JSON.stringify(body),
    segments: JSON.stringify(segments),
    text: toText(body as Doc),
    summary: summary ?? '',
    pictures: JSON.stringify(pictures),
    fileIds,
    tagId,
    ...(tagIds && { tagIds }),
    ...(isGenerated !== null && { ai: { isGenerated, by: 'author' } }),
    sensitive: [],
    hidden: kind === 'topic' ? 'waiting' : hiddenPart.placeholdersIn(body as Doc),
    locks: hiddenPart.locksIn(body as Doc),
  }
}
