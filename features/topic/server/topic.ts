import { sql, type RawBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db, Parts } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { wasChanged } from '#topic/server/changed.ts'
import { heatOf } from '#topic/server/heat.ts'
import * as may from '#topic/server/may.ts'

export { edited, refuseWithoutReason, removeFor } from '#topic/server/another-hand.ts'
export { grew, wasChanged } from '#topic/server/changed.ts'
export { heatOf } from '#topic/server/heat.ts'
export { keepOrder, move, type Order } from '#topic/server/keep-order.ts'
export { close, eraseLeft, openWith, saidBy, type Said } from '#topic/server/opening.ts'
export { approve } from '#topic/server/pending.ts'
export { removed, restored, settledAnew, type Removal } from '#topic/server/removal.ts'
export { replace, writeAnew } from '#topic/server/rewrite.ts'
export { blank, erase, putBack, takeDown, type PutBack, type TakenDown } from '#topic/server/take-down.ts'
export { postOf } from '#topic/server/told.ts'

/** A topic as its neighbours need to know it. */
export type Topic = {
  id: string
  title: string
  tagId: string
  parentTagId: string | null
  authorId: string
  status: 'pending' | 'published' | 'deleted'
  /** What it was before it was deleted. */
  deletedFrom: 'pending' | 'published' | null
  takesComments: boolean
  floors: number
  authorFloors: number
  commentCount: number
  lastReplyAt: Date
  /** Since when what is said here does not bring it up. */
  sunkAt: Date | null
  isFeatured: boolean
  version: number
}

/** The topic, if it is published where this viewer may look. Everything under a topic is reached through here. */
export async function find(db: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  const topic = await findOwn(db, viewer, topicId)
  if (topic.status !== 'published') throw Missing()
  return topic
}

/** The same, and also one of the viewer's own that is not published yet. */
export async function findOwn(db: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  return seen(viewer, await byId(db, topicId).executeTakeFirst())
}

/** A topic by its id, whoever asks, so that more can be asked in the same statement; `seen` then says whether they may look. */
export function byId(db: Db, topicId: string) {
  return select(db).where('topic.id', '=', topicId)
}

/** That too, with others who want to change it waiting until this transaction ends. */
export async function lock(tx: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  const topic = await select(tx).where('topic.id', '=', topicId).forUpdate('topic').executeTakeFirst()
  return seen(viewer, topic)
}

/** A topic as staff find it, deleted or not, unless its words are gone for good; others who want to change it wait. */
export async function lockAny(tx: Db, topicId: string): Promise<Topic> {
  const topic = await select(tx).where('topic.id', '=', topicId).where('purged_at', 'is', null).forUpdate('topic').executeTakeFirst()
  if (!topic) throw Missing()
  return topic
}

/** How a published topic stands, and who may know: for those who tell many people at once. */
export async function standing(db: Db, topicId: string): Promise<{ floors: number; seenBy(viewer: Viewer): boolean } | null> {
  const topic = await select(db).where('topic.id', '=', topicId).where('topic.status', '=', 'published').executeTakeFirst()
  return topic ? { floors: topic.floors, seenBy: (viewer) => may.view(viewer, topic) } : null
}

export function mayEdit(viewer: Viewer, topic: Topic): boolean {
  return may.edit(viewer, topic)
}

export function mayRemove(viewer: Viewer, topic: Topic): boolean {
  return may.remove(viewer, topic)
}

type Remark = { by: string; at: RawBuilder<Date>; isComment: boolean }

/**
 * Counts a comment or a reply to one, and moves the topic up, unless it was sunk: a part of the statement that writes it, so that both
 * cost one trip to the database. The topic must be locked, and `wasChanged` told.
 */
export function commentedOn(tx: Parts, settings: Settings, topic: Topic, { by, at, isComment }: Remark) {
  const commentCount = topic.commentCount + 1
  return tx
    .updateTable('topic')
    .set({
      comment_count: commentCount,
      ...(!topic.sunkAt && { last_reply_at: sql<Date>`greatest(last_reply_at, ${at})`, last_reply_by: by }),
      heat: heatOf(settings, sql`${commentCount}::int`, sql`topic.view_count`),
      ...(isComment && { floors: topic.floors + 1, author_floors: topic.authorFloors + (by === topic.authorId ? 1 : 0) }),
    })
    .where('id', '=', topic.id)
}

/** Who said what is the newest under a topic, and when, as the database writes it; null where nothing is left. */
export type Newest = { by: string; at: string } | null

/** Takes back a comment or a reply. Names the newest that is left, where the one removed was the newest. */
export async function lostAComment(tx: Db, topic: Topic, newest: Newest | undefined): Promise<void> {
  await recount(tx, topic, -1, newest)
}

/** Counts a comment or a reply that is back. Names it, where it is the newest. */
export async function regainedAComment(tx: Db, topic: Topic, newest: Newest | undefined): Promise<void> {
  await recount(tx, topic, 1, newest)
}

/** Says who spoke last, where that is not what it was. */
export async function lastSaid(tx: Db, topic: Topic, newest: Newest): Promise<void> {
  await recount(tx, topic, 0, newest)
}

type Coming = { more: number; newest: Newest | undefined; floors?: { floors: number; author_floors: number } | undefined }

/** Counts many that came or went at once, with the floors they got. */
export async function gotComments(tx: Db, topic: Topic, { more, newest, floors }: Coming): Promise<void> {
  await recount(tx, topic, more, newest, floors)
}

async function recount(tx: Db, topic: Topic, by: number, newest: Newest | undefined, floors?: Coming['floors']): Promise<void> {
  const settings = await setting.all(tx)
  const commentCount = topic.commentCount + by
  await tx
    .updateTable('topic')
    .set({
      ...floors,
      comment_count: commentCount,
      heat: heatOf(settings, sql`${commentCount}::int`, sql`topic.view_count`),
      ...(newest !== undefined && { last_reply_at: newest?.at ?? sql<Date>`published_at`, last_reply_by: newest?.by ?? null }),
    })
    .where('id', '=', topic.id)
    .execute()
  wasChanged(tx, topic)
}

/** The topic, if this viewer may look there and it is published or their own. */
export function seen<Row extends Topic>(viewer: Viewer, topic: Row | undefined): Row {
  if (!topic || !may.view(viewer, topic)) throw Missing()
  return topic
}

function select(db: Db) {
  return db
    .selectFrom('topic')
    .innerJoin('tag', 'tag.id', 'topic.tag_id')
    .select([
      'topic.id',
      'topic.title',
      'topic.tag_id as tagId',
      'tag.parent_id as parentTagId',
      'topic.author_id as authorId',
      'topic.status',
      'topic.deleted_from as deletedFrom',
      'topic.sunk_at as sunkAt',
      'topic.version',
    ])
    .select(sql<boolean>`topic.featured_at is not null`.as('isFeatured'))
    .select(['topic.takes_comments as takesComments', 'topic.floors', 'topic.author_floors as authorFloors'])
    .select(['topic.comment_count as commentCount', 'topic.last_reply_at as lastReplyAt'])
}
