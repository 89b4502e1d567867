import { sql } from 'kysely'
import { Missing, NotAllowed, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Hand, Staff } from '#base/server/route.ts'
import * as audit from '#audit/server/audit.ts'
import * as comments from '#comment/server/comment.ts'
import {
  ClaimedByOther,
  IsOnThePage,
  ReasonNeeded,
  SettledAlready,
  WrittenAnew,
  type approveReview,
  type editReview,
  type rejectReview,
  type removeReview,
} from '#review/contract.ts'
import * as notice from '#notice/server/notice.ts'
import { refuseOwn } from '#review/server/own-post.ts'
import { keepOwn } from '#review/server/own-words.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

/** Puts a post on the page that waited, or the new words in the place of the old. */
export async function approve(tx: Db, by: Staff, from: From, decision: Taken<typeof approveReview>): Promise<void> {
  const { review, post } = await take(tx, by, decision)
  if (review.is_edit) await post.replace(by, readyOf(review))
  else await post.approve(await setting.all(tx))
  const isOthers = review.own_body !== null && (await keepOwn(tx, review))
  await settle(tx, by.staff, review.id, { state: 'approved', ...emptied })
  await notice.tell(tx, review.author_id, { kind: 'postApproved', post: await told(post, review), isEdit: review.is_edit })
  if (isOthers) await notice.tell(tx, review.author_id, { kind: 'postEdited', post: await told(post, review), reason: '' })
  await audit.note(tx, by.staff, from, { deed: 'review.approve', about: post.about, after: { isEdit: review.is_edit } })
}

/** Keeps a post off the page and says why. */
export async function reject(
  tx: Db,
  by: Staff,
  from: From,
  { reasonZh, reasonEn, ...decision }: Taken<typeof rejectReview>,
): Promise<void> {
  const [zh, en] = [reasonZh || reasonEn, reasonEn || reasonZh]
  if (!zh) throw ReasonNeeded()
  const { review, post } = await take(tx, by, decision)
  await settle(tx, by.staff, review.id, { state: 'rejected', reason_zh: zh, reason_en: en })
  const facts = { post: await told(post, review), isEdit: review.is_edit, reason: { zh, en } }
  await notice.tell(tx, review.author_id, { kind: 'postRejected', ...facts })
  await audit.note(tx, by.staff, from, { deed: 'review.reject', about: post.about, reason: zh, after: { isEdit: review.is_edit } })
}

/** Removes a post that was never on the page. */
export async function remove(tx: Db, by: Staff, from: From, { reason, ...decision }: Taken<typeof removeReview>): Promise<void> {
  if (!by.staff.may('content.remove')) throw NotAllowed()
  const { review, post } = await take(tx, by, decision)
  if (review.is_edit) throw IsOnThePage()
  await post.takeDown({ by: 'staff', reason, removal: { by: by.staff.id } })
  await settle(tx, by.staff, review.id, { state: 'rejected', reason_zh: reason, reason_en: reason })
  await audit.note(tx, by.staff, from, { deed: 'review.remove', about: post.about, ...(reason && { reason }) })
}

/** Writes anew what waits; it waits on, and what its author wrote is kept. */
export async function edit(
  tx: Db,
  by: Staff,
  from: From,
  { title, body, ...decision }: Taken<typeof editReview>,
): Promise<{ version: number }> {
  if (!by.staff.may('content.edit')) throw NotAllowed()
  const { review, post } = await take(tx, by, decision)
  const { kind, author_id: authorId } = review
  const named = kind === 'topic' ? (title ?? (await titleOf(tx, review))) : undefined
  const ready = await writing.prepare(tx, { kind, by, authorId, document: body, origin: from.origin, ...(named && { title: named }) })
  if (review.is_edit) {
    await writing.nowWrittenBy(tx, by, kind, review.post_id)
    await tx.updateTable('review').set(contentOf(ready, named)).where('id', '=', review.id).execute()
  } else await post.rewrite(by, ready)
  // What its author wrote is kept with the post, and goes with it; the log is for ever.
  const version = review.version + 1
  await audit.note(tx, by.staff, from, { deed: 'review.edit', about: post.about, before: { version: review.version }, after: { version } })
  return { version }
}

type Decision = { reviewId: string; version: number }

/** What is decided about, with its post, both locked: the post first, as its author's own deeds do. Refuses where it is not for this hand to decide now. */
async function take(tx: Db, by: Staff, { reviewId, version }: Decision) {
  const place = await tx.selectFrom('review').select(['kind', 'post_id']).where('id', '=', reviewId).executeTakeFirst()
  if (!place) throw Missing()
  const post = await lockPost[place.kind](tx, place.post_id)
  if (post.isRemoved) throw Missing()
  const review = await tx
    .selectFrom('review')
    .leftJoin('staff', 'staff.id', 'claimed_by')
    .selectAll('review')
    .select(['account', sql<boolean>`(claimed_until > clock_timestamp()) is true`.as('isClaimed')])
    .where('review.id', '=', reviewId)
    .forUpdate('review')
    .executeTakeFirstOrThrow()
  if (review.state !== 'waiting') throw SettledAlready()
  await refuseOwn(tx, by, review.author_id)
  if (review.isClaimed && review.claimed_by !== by.staff.id) throw ClaimedByOther({ who: review.account ?? '?' })
  if (review.version !== version) throw WrittenAnew()
  return { review, post }
}

export type Post = {
  about: string
  isRemoved: boolean
  approve(settings: Settings): Promise<void>
  replace(by: Staff, ready: writing.Ready): Promise<boolean>
  rewrite(by: Staff, ready: writing.Ready): Promise<void>
  takeDown(down: topics.TakenDown): Promise<void>
  putBack(): Promise<void>
  told(): Promise<notice.PostView>
}
type Settings = Awaited<ReturnType<typeof setting.all>>

/** A post, locked, with what is done to it here. */
export const lockPost: Record<'topic' | 'comment' | 'reply', (tx: Db, id: string) => Promise<Post>> = {
  async topic(tx, id) {
    const topic = await topics.lockAny(tx, id)
    return {
      about: `topic ${id}`,
      isRemoved: topic.status === 'deleted',
      putBack: () => topics.putBack(tx, topic),
      approve: () => topics.approve(tx, topic),
      replace: (by, ready) => topics.replace(tx, by, topic, ready, topic.authorId),
      rewrite: (by, ready) => topics.writeAnew(tx, by, id, ready),
      takeDown: (down) => topics.takeDown(tx, topic, down),
      told: async () => topics.postOf(topic),
    }
  },
  async comment(tx, id) {
    const { topic, comment } = await comments.lockAnyComment(tx, id)
    if (topic.status !== 'published') throw Missing()
    return {
      about: `comment ${id}`,
      isRemoved: comment.status === 'deleted',
      putBack: () => comments.putBackComment(tx, { topic, comment }),
      approve: (settings) => comments.approve(tx, settings, topic, comment),
      replace: (by, ready) => comments.replaceComment(tx, by, { topic, comment }, ready, comment.authorId),
      rewrite: (by, ready) => comments.writeCommentAnew(tx, by, { topic, comment }, ready),
      takeDown: (down) => comments.takeDownComment(tx, { topic, comment }, down),
      told: () => comments.postOfComment(tx, topic, comment),
    }
  },
  async reply(tx, id) {
    const { topic, reply } = await comments.lockAnyReply(tx, id)
    if (topic.status !== 'published') throw Missing()
    return {
      about: `reply ${id}`,
      isRemoved: reply.status === 'deleted',
      putBack: () => comments.putBackReply(tx, { topic, reply }),
      approve: (settings) => comments.approveReply(tx, settings, topic, reply),
      replace: (by, ready) => comments.replaceReply(tx, by, { topic, reply }, ready, reply.authorId),
      rewrite: (by, ready) => comments.writeReplyAnew(tx, by, { topic, reply }, ready),
      takeDown: (down) => comments.takeDownReply(tx, { topic, reply }, down),
      told: () => comments.postOfReply(tx, topic, reply),
    }
  },
}

// A new title and new words are what its author knows it by, on the page or not yet.
async function told(post: Post, { title, summary }: Pick<Content, 'title' | 'summary'>): Promise<notice.PostView> {
  const known = await post.told()
  return { ...known, ...(title && { title }), ...(summary && known.kind !== 'topic' && { excerpt: summary }) }
}

type Settled = { state: 'approved' | 'rejected'; reason_zh?: string; reason_en?: string }

async function settle(tx: Db, hand: Hand, reviewId: string, settled: Settled): Promise<void> {
  const by = { decided_by: hand.id, decided_at: sql<Date>`clock_timestamp()`, claimed_by: null, claimed_until: null }
  await tx
    .updateTable('review')
    .set({ ...settled, ...by, version: sql`version + 1` })
    .where('id', '=', reviewId)
    .execute()
}

// What is on the page now need not lie here too.
const emptied = { own_title: null, own_body: null, title: null, body: null, segments: null, summary: null, pictures: null, file_ids: [] }

type Content = { title: string | null; body: unknown; segments: unknown; summary: string | null; pictures: unknown; file_ids: string[] }

function readyOf({ title, body, segments, summary, pictures, file_ids: fileIds }: Content): writing.Ready {
  return {
    title: title ?? '',
    body: JSON.stringify(body),
    segments: JSON.stringify(segments),
    text: toText(body as Doc),
    summary: summary ?? '',
    pictures: JSON.stringify(pictures),
    fileIds,
    sensitive: [],
  }
}

function contentOf(post: writing.Ready, title: string | undefined) {
  return writing.contentOf({ post, ...(title !== undefined && { title }) })
}

async function titleOf(tx: Db, { title, topic_id }: { title: string | null; topic_id: string }): Promise<string> {
  return title ?? (await tx.selectFrom('topic').select('title').where('id', '=', topic_id).executeTakeFirstOrThrow()).title
}
