import * as aiLabel from '#ai-label/server/ai-label.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { AnsweredGone, CommentsClosed, QuoteGone } from '#comment/contract.ts'
import { traits, type RemarkKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import type { GivenEnvelope } from '#red-envelope/contract.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

export { excerpt } from '#comment/server/excerpt.ts'
export { findMoved } from '#comment/server/moved.ts'
export { linkToTopic, extractContent, commentFromOpening } from '#comment/server/opening.ts'
export { relocate } from '#comment/server/relocate.ts'

/** A comment under a thread, which may quote another and carry a red envelope; or a reply under a comment, which may answer another. */
export type RemarkInput = {
  kind: RemarkKind
  under: string
  refersTo?: string | undefined
  body: Doc
  aiGenerated?: boolean | undefined
  envelope?: GivenEnvelope
}
type AddedRemark = { id: string; floor: number | null; isPending: boolean }

/** Adds a comment or a reply, or holds it for review. A seed may pass the time; the default is now. */
export async function add(tx: Db, author: Member, draft: RemarkInput, { at, origin }: writing.PublishContext = {}): Promise<AddedRemark> {
  const { kind, under, refersTo = null, body: document, aiGenerated, envelope } = draft
  const settings = await setting.all(tx)
  // Parsed and rendered before the thread is locked, to hold the lock for a shorter time.
  const prepared = await writing.prepare(tx, { kind, by: author, document, origin, at })
  const ready = { ...prepared, ai: aiLabel.declaration(aiGenerated, aiLabel.unlabelled) }
  const { id, ...its } = await posts.publishRemark(tx, author, { kind, under, refersTo, settings, ready, at }, authorize)
  if (envelope) await redEnvelope.give(tx, author, { topicId: under, commentId: id, isPending: its.isPending }, envelope)
  return { id, ...its }

  function authorize(place: posts.RemarkTarget): void {
    if (!settings[traits[place.thread.kind][kind].allow]) throw FunctionClosed()
    if (!posts.mayPost(author, kind, place.thread)) throw NotAllowed()
    if (!posts.mayPostNow(author, place.thread)) throw CommentsClosed()
    if (refersTo && !place.refersTo) throw kind === 'comment' ? QuoteGone() : AnsweredGone()
  }
}
