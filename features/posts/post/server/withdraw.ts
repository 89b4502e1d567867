import { sql } from 'kysely'
import { Missing, NotAllowed } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { dispatch } from '#base/server/moments.ts'
import type { Member } from '#base/server/http/route.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import { blank } from '#post/server/erase.ts'
import { furtherTagsOf } from '#post/server/further-tags.ts'
import { openingOf } from '#post/server/lock.ts'
import { mayRemove } from '#post/server/may.ts'
import { refuseForbiddenSince } from '#post/server/returning-words.ts'
import { lockThread, type Thread } from '#post/server/thread.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as writing from '#writing/server/writing.ts'

/**
 * Withdraws a question that others have answered: title and answers stay, and it takes no more. Its content becomes a version that
 * only the asker and staff can read.
 */
export async function withdraw(tx: Db, thread: Thread): Promise<void> {
  const { id } = thread
  if (thread.isWithdrawn) return
  await bounty.end(tx, id)
  await writing.dropHeldEdit(tx, 'topic', id)
  await sql`
    insert into topic_revision (topic_id, title, tag_ids, ai_label, body, written_at, written_by)
    select id, title, ${furtherTagsOf(id)}, ai_label, body, coalesce(edited_at, published_at), edited_by from topic where id = ${id}`.execute(
    tx,
  )
  await hiddenPart.save(tx, { topicId: id }, [])
  const words = { ...blank, summary: '', pictures: '[]', locks: [] }
  await rewrite(tx, thread, { ...words, withdrawn_at: sql<Date>`clock_timestamp()` })
  await redEnvelope.openOrEnd(tx, [{ kind: 'topic', id }])
  await dispatch(tx, 'threadWithdrawn', { topicId: id, isWithdrawn: true })
}

export async function unwithdraw(tx: Db, thread: Thread): Promise<void> {
  const { id, authorId } = thread
  if (!thread.isWithdrawn) throw Missing()
  const { rows } = await sql<{ body: Doc }>`
    delete from topic_revision where not is_withheld and id = (select max(id) from topic_revision where topic_id = ${id}) returning body`.execute(
    tx,
  )
  const document = rows[0]?.body
  if (!document) throw Missing()
  const [segments] = await writing.renderAll(tx, authorId, [document])
  await hiddenPart.save(tx, { topicId: id }, hiddenPart.placeholdersIn(document))
  await rewrite(tx, thread, {
    body: JSON.stringify(document),
    segments: JSON.stringify(segments),
    summary: summaryOf(document),
    pictures: await writing.picturesForList(tx, authorId, document),
    locks: hiddenPart.locksIn(document),
    withdrawn_at: null,
  })
  await dispatch(tx, 'threadWithdrawn', { topicId: id, isWithdrawn: false })
}

/** Brings back a question that its asker withdrew. */
export async function putBackWithdrawn(tx: Db, asker: Member, thread: Thread): Promise<void> {
  await unwithdraw(tx, thread)
  await refuseForbiddenSince(tx, asker, openingOf(thread))
}

/** Withdraws a member's own question if others have answered it. Returns false if there is no answer; the caller then removes it. */
export async function withdrawAnswered(tx: Db, member: Member, topicId: string): Promise<boolean> {
  const thread = await lockThread(tx, member, topicId)
  if (thread.kind !== 'question' || thread.authorId !== member.id || !(await isAnswered(tx, thread))) return false
  if (!mayRemove(member, openingOf(thread))) throw NotAllowed()
  await withdraw(tx, thread)
  return true
}

export async function isAnswered(tx: Db, { id, authorId }: Pick<Thread, 'id' | 'authorId'>): Promise<boolean> {
  const answer = await tx
    .selectFrom('comment')
    .select('id')
    .where('topic_id', '=', id)
    .where('status', '=', 'published')
    .where('author_id', '<>', authorId)
    .limit(1)
    .executeTakeFirst()
  return answer !== undefined
}

type OpeningContent = Record<'body' | 'segments' | 'summary' | 'pictures', string> & {
  locks: string[]
  withdrawn_at: ReturnType<typeof sql<Date>> | null
}

async function rewrite(tx: Db, thread: Thread, words: OpeningContent): Promise<void> {
  await tx
    .updateTable('topic')
    .set({ ...words, version: sql<number>`version + 1` })
    .where('id', '=', thread.id)
    .execute()
  await writing.refreshCopies(tx, 'topic', thread.id)
  invalidateThread(tx, thread)
  invalidate(tx, 'titles')
}
