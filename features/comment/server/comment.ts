import { sql } from 'kysely'
import { Missing, NotAllowed } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { AnsweredGone, CommentsClosed, QuoteGone } from '#comment/contract.ts'
import { traits, type RemarkKind, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

export { find as whereIs } from '#comment/server/moved.ts'
export { becomes, emptyFor, fromOpening } from '#comment/server/opening.ts'
export { relocate } from '#comment/server/relocate.ts'

/** A comment under a thread, which may quote another there; or a reply under a comment, which may answer another there. */
export type Draft = { kind: RemarkKind; thread: ThreadKind; under: string; refersTo?: string | undefined; body: Doc }
type Added = { id: string; floor: number | null; isPending: boolean }

/** Writes a comment or a reply, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function add(tx: Db, author: Member, draft: Draft, { at, origin }: writing.When = {}): Promise<Added> {
  const { kind, thread: threadKind, refersTo = null, body: document } = draft
  const settings = await setting.mustBeOpen(tx, traits[threadKind][kind].takes)
  // Read and rendered before the thread is locked, so that others who write there wait less.
  const ready = await writing.prepare(tx, { kind, thread: threadKind, by: author, document, origin, at })
  const { thread, commentId } = await lockPlace(tx, author, draft)
  if (thread.kind !== threadKind) throw Missing()
  if (!posts.mayPost(author, kind, thread)) throw NotAllowed()
  if (!posts.mayPostNow(author, thread)) throw CommentsClosed()
  if (refersTo && !(await stands(tx, draft, refersTo))) throw kind === 'comment' ? QuoteGone() : AnsweredGone()
  return posts.publish(tx, author, { kind, thread, commentId, refersTo, settings, ready, at })
}

async function lockPlace(tx: Db, author: Member, { kind, under }: Draft): Promise<Pick<posts.Post, 'thread' | 'commentId'>> {
  if (kind === 'reply') return posts.lockShownPost(tx, author, 'comment', under)
  return { thread: await posts.lockThread(tx, author, under), commentId: null }
}

async function stands(tx: Db, { kind, under }: Draft, id: string): Promise<boolean> {
  const place = sql.ref(kind === 'comment' ? 'topic_id' : 'comment_id')
  const { rows } = await sql`select from ${sql.table(kind)} where id = ${id} and ${place} = ${under} and status = 'published'`.execute(tx)
  return rows.length > 0
}
