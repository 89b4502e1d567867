import type { AiLabelView } from '#ai-label/contract.ts'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { traits, type Kind } from '#kind/contract.ts'
import { recordModeratorEdit, requireReason } from '#post/server/moderator-edit.ts'
import { mayEdit } from '#post/server/may.ts'
import { lockOwnPost, readOwnPost } from '#post/server/lock.ts'
import { isUnchanged, replaceContent, overwritePending } from '#post/server/rewrite.ts'
import type { Thread } from '#post/server/thread.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

type EditSource = {
  title: string
  body: Doc
  /** The new primary and further tags of a pending edit. */
  tagId: string | null
  tagIds: string[] | null
  aiLabel: AiLabelView
  isAnothers: boolean
  isPending: boolean
  thread: Thread
}

/** The source of a post, for those who may edit it; with a pending edit of their own, that one. */
export async function source(db: Db, member: Member, kind: Kind, id: string): Promise<EditSource> {
  const post = await readOwnPost(db, member, kind, id)
  if (!mayEdit(member, post)) throw NotAllowed()
  const [row, waiting, settings] = await Promise.all([
    kind === 'topic'
      ? db.selectFrom('topic').select(['title', 'body']).where('id', '=', id).executeTakeFirstOrThrow()
      : db.selectFrom(kind).select('body').where('id', '=', id).executeTakeFirstOrThrow(),
    writing.heldEdit(db, kind, id, member.id),
    setting.all(db),
  ])
  const { thread } = post
  const currentBody = waiting?.body ?? (row.body as Doc)
  // A comment that was an opening keeps its hidden parts as they are.
  const stored = { topicId: id, body: currentBody, tagId: thread.tagId, waits: waiting !== null }
  const body = kind === 'topic' ? await hiddenPart.restore(db, member, stored) : currentBody
  const title = waiting?.title ?? ('title' in row ? String(row.title) : '')
  return {
    title,
    body,
    tagId: waiting?.tagId ?? null,
    tagIds: waiting?.tagIds ?? null,
    aiLabel: aiLabel.visibleLabel(settings, labelOf(post.aiLabel, waiting?.aiGenerated ?? null)),
    isAnothers: post.authorId !== member.id,
    isPending: post.status === 'pending',
    thread,
  }
}

// Staff may have labelled it while the edit was pending.
function labelOf(label: AiLabelView, aiGenerated: boolean | null): AiLabelView {
  if (aiGenerated === null || label === 'staff') return label
  return aiGenerated ? 'author' : null
}

type EditInput = {
  kind: Kind
  id: string
  title?: string
  body: Doc
  /** The tag it moves to; null if it stays. */
  tagId?: string | null
  tagIds?: readonly string[]
  aiGenerated?: boolean | undefined
  reason: string
  withholds: boolean
}

/**
 * Replaces the content of a post and stores the former as a version; does nothing if it is unchanged. Returns whether the edit is
 * held for review. A moderator gives a reason, of which the author is notified.
 */
export async function edit(tx: Db, member: Member, draft: EditInput, { origin, ip }: ClientInfo): Promise<boolean> {
  const { kind, id, title, body: document, tagId, tagIds, aiGenerated, reason } = draft
  const post = await lockOwnPost(tx, member, kind, id)
  const { authorId, thread } = post
  const settings = await setting.mustBeOpen(tx, traits[thread.kind][kind].allowEdits)
  if (!mayEdit(member, post)) throw NotAllowed()
  requireReason(member, authorId, reason)
  const named = title !== undefined && { title }
  const standing = { topicId: thread.id, ...(kind === 'comment' && { commentId: id }) }
  const input = { kind, thread: thread.kind, by: member, authorId, place: standing, document, origin, ...named }
  const ai = aiLabel.declaration(aiGenerated, { label: post.aiLabel, isAuthor: member.id === authorId })
  const ready = { ...(await writing.prepare(tx, input)), ...(tagId !== undefined && { tagId }), ...(tagIds && { tagIds }), ai }
  const hold = writing.reviewReason(settings, member, { kind, thread: thread.kind, tagId: tagId ?? thread.tagId, authorId, post: ready })
  const place = { kind, postId: id, topicId: thread.id, authorId }
  if (post.status === 'pending') {
    await overwritePending(tx, member, post, ready)
    await writing.holdForReview(tx, hold ?? { why: 'members', words: [] }, place)
    return true
  }
  if (hold && !(await isUnchanged(tx, kind, id, ready))) {
    await writing.holdForReview(tx, hold, { ...place, edit: { post: ready, ...(title !== undefined && { title: ready.title }) } })
    return true
  }
  if (member.id === authorId) await writing.dropHeldEdit(tx, kind, id)
  const isNew = await replaceContent(tx, member, post, ready)
  if (isNew && member.id !== authorId) await recordModeratorEdit(tx, member, { ip }, { post, title: ready.title, options: draft })
  return false
}
