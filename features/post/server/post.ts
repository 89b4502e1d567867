import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as file from '#file/server/file.ts'
import type { RemarkKind } from '#kind/contract.ts'
import { grew } from '#post/server/changed.ts'
import { heatOf } from '#post/server/heat.ts'
import { filePlaceOf, wordsPlaceOf } from '#post/server/place.ts'
import { readUpTo } from '#post/server/read-up-to.ts'
import { rememberTitle } from '#post/server/remember-title.ts'
import type { Thread } from '#post/server/thread.ts'
import type { Settings } from '#setting/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

export { approve } from '#post/server/approve.ts'
export { grew, wasChanged } from '#post/server/changed.ts'
export { edit, remove, source } from '#post/server/edit.ts'
export { blank, blankRemark, blankThread, erase } from '#post/server/erase.ts'
export { heatOf } from '#post/server/heat.ts'
export {
  changeOthers as mayChangeOthers,
  edit as mayEdit,
  post as mayPost,
  postNow as mayPostNow,
  remove as mayRemove,
  view as mayView,
} from '#post/server/may.ts'
export { appeared, disappeared, given, giveFloors, moved, nameNewest, presentUnder, type Present } from '#post/server/presence.ts'
export { readUpTo } from '#post/server/read-up-to.ts'
export { settledAnew } from '#post/server/removal.ts'
export { replace, writeAnew } from '#post/server/rewrite.ts'
export { putBack, takeDown, tellRestored, type PutBack, type TakenDown } from '#post/server/take-down.ts'
export { lockOwnPost, lockPost, lockPosts, lockShownPost, openingOf, postView, type Post } from '#post/server/lock.ts'
export { findOwnThread, findThread, lockAnyThread, lockThread, seen, standingOf, threadById, type Thread } from '#post/server/thread.ts'
export { rememberTitle } from '#post/server/remember-title.ts'
export { titleWords } from '#post/server/title-words.ts'

type Words = { settings: Settings; ready: writing.Ready; at?: Date | undefined }
/** What opens a thread. */
type Opening = Words & { kind: 'topic'; thread: Pick<Thread, 'kind' | 'tagId' | 'parentTagId'> }
/** What stands in a thread, which is locked; `refersTo` is what a comment quotes, or which reply a reply answers. */
type Remark = Words & { kind: RemarkKind; thread: Thread; commentId: string | null; refersTo: string | null }
type Draft = Opening | Remark
type Published = { id: string; floor: number | null; isPending: boolean }

/** Writes a post and puts it on the page, unless staff look at it first. Refuses what comes too soon, or was said already. */
export async function publish(tx: Db, author: Member, draft: Draft): Promise<Published> {
  const { kind, settings, ready, at } = draft
  const { kind: thread, tagId } = draft.thread
  const { text, fileIds, title } = ready
  const wait = writing.waitFor(settings, author, { kind, thread, tagId, post: ready, at })
  const place = wordsPlaceOf({ ...placeOf(draft, ''), title })
  const turn = writing.turn(settings, author, { kind, thread, at, text, fileIds, place, waits: wait !== null })
  const floor = draft.kind === 'comment' && !wait ? draft.thread.floors + 1 : null
  const { rows } = await sql<{ id: string; isCounted: boolean; isNoted: boolean }>`
    with added as (${added(author, draft, { status: wait ? 'pending' : 'published', floor })}),
      counted as (${writing.counted(tx, turn)}),
      noted as (${writing.noted(tx, turn)})${wait ? sql`` : following(tx, author, draft, floor)}
    select id, ${writing.inTurn} from added`.execute(tx)
  const [done] = rows
  if (!done) throw new Error('What was written is not there')
  await writing.refuseUnlessInTurn(tx, turn, done)
  const where = placeOf(draft, done.id)
  await file.attach(tx, fileIds, filePlaceOf({ ...where, id: done.id }))
  if (wait) await writing.wait(tx, wait, { kind, postId: done.id, topicId: where.thread.id, authorId: author.id })
  else await arrived(tx, draft, done.id)
  return { id: done.id, floor, isPending: wait !== null }
}

/** Where a post stands that has this id, or shall have it. */
function placeOf(draft: Draft, id: string) {
  if (draft.kind === 'topic') return { kind: draft.kind, commentId: null, refersTo: null, thread: { ...draft.thread, id } }
  const { kind, thread, refersTo } = draft
  return { kind, thread, refersTo, commentId: draft.commentId ?? id }
}

/** The part of the statement that writes the row. */
function added({ id: author_id }: Member, draft: Draft, { status, floor }: { status: string; floor: number | null }): RawBuilder<unknown> {
  const { body, segments, summary, title, pictures } = draft.ready
  const published_at = draft.at ?? sql`clock_timestamp()`
  const common = { author_id, status, body, segments, published_at }
  const row =
    draft.kind === 'topic'
      ? { ...common, kind: draft.thread.kind, tag_id: draft.thread.tagId, title, summary, pictures, last_reply_at: published_at }
      : { ...common, text: summary, topic_id: draft.thread.id, thread_kind: draft.thread.kind, ...ofRemark(author_id, draft, floor) }
  const columns = Object.keys(row).map((name) => sql.ref(name))
  return sql`insert into ${sql.table(draft.kind)} (${sql.join(columns)}) values (${sql.join(Object.values(row))}) returning id, published_at`
}

function ofRemark(authorId: string, { kind, thread, commentId, refersTo }: Remark, floor: number | null) {
  if (kind === 'reply') return { comment_id: commentId, answers: refersTo }
  return { quotes: refersTo, floor, author_floor: floor && authorId === thread.authorId ? thread.authorFloors + 1 : null }
}

/** The parts of the statement that follow where the post is on the page at once: what `appeared` does for all others. */
function following(tx: Db, author: Member, draft: Draft, floor: number | null): RawBuilder<unknown> {
  const { kind, thread } = draft
  const wrote = sql`, wrote as (${user.wrote(tx, { kind, thread: thread.kind, memberId: author.id, tagId: thread.tagId })})`
  if (draft.kind === 'topic') return wrote
  const raised = sql`, raised as (${counting(draft, author)})`
  if (draft.kind === 'reply')
    return sql`${wrote}${raised}, replied as (update comment set reply_count = reply_count + 1 where id = ${draft.commentId})`
  return sql`${wrote}${raised}, seen as (${readUpTo(tx, author.id, draft.thread.id, floor ?? 0)})`
}

/** Counts a remark in its thread, and moves that up, unless it was sunk. */
function counting({ kind, thread, settings }: Remark, author: Member): RawBuilder<unknown> {
  const count = sql`${thread.commentCount + 1}::int`
  const at = sql`(select published_at from added)`
  const isAuthors = author.id === thread.authorId ? 1 : 0
  return sql`update topic set comment_count = ${count}, heat = ${heatOf(settings, count, sql`topic.view_count`)}
    ${thread.sunkAt ? sql`` : sql`, last_reply_at = greatest(last_reply_at, ${at}), last_reply_by = ${author.id}`}
    ${kind === 'comment' ? sql`, floors = ${thread.floors + 1}, author_floors = ${thread.authorFloors + isAuthors}` : sql``}
    where id = ${thread.id}`
}

async function arrived(tx: Db, draft: Draft, id: string): Promise<void> {
  if (draft.kind !== 'topic') return grew(tx, draft.thread)
  const { thread, ready } = draft
  await rememberTitle(tx, id, ready.title)
  await tag.count(tx, [thread.tagId], 1)
  grew(tx, { ...thread, id })
}
