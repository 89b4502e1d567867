import { sql, type RawBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db, Parts } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import { heatOf } from '#topic/server/heat.ts'
import * as may from '#topic/server/may.ts'

/** A topic as its neighbours need to know it. */
export type Topic = {
  id: string
  title: string
  tagId: string
  parentTagId: string | null
  authorId: string
  status: 'pending' | 'published' | 'deleted'
  takesComments: boolean
  floors: number
  authorFloors: number
  commentCount: number
  lastReplyAt: Date
}

/** The topic, if it is published where this viewer may look. Everything under a topic is reached through here. */
export async function find(db: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  const topic = await findOwn(db, viewer, topicId)
  if (topic.status !== 'published') throw Missing()
  return topic
}

/** The same, and also one of the viewer's own that is not published yet. */
export async function findOwn(db: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  const topic = await select(db).where('topic.id', '=', topicId).executeTakeFirst()
  return seen(viewer, topic)
}

/** That too, with others who want to change it waiting until this transaction ends. */
export async function lock(tx: Db, viewer: Viewer, topicId: string): Promise<Topic> {
  const topic = await select(tx).where('topic.id', '=', topicId).forUpdate('topic').executeTakeFirst()
  return seen(viewer, topic)
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
 * Counts a comment or a reply to one, and moves the topic up: a part of the statement that writes it, so that both cost one trip to
 * the database. The topic must be locked, and `wasChanged` told.
 */
export function commentedOn(tx: Parts, settings: Settings, topic: Topic, { by, at, isComment }: Remark) {
  const commentCount = topic.commentCount + 1
  return tx
    .updateTable('topic')
    .set({
      comment_count: commentCount,
      last_reply_at: sql<Date>`greatest(last_reply_at, ${at})`,
      last_reply_by: by,
      heat: heatOf(settings, sql`${commentCount}::int`, sql`topic.view_count`),
      ...(isComment && { floors: topic.floors + 1, author_floors: topic.authorFloors + (by === topic.authorId ? 1 : 0) }),
    })
    .where('id', '=', topic.id)
}

/** Takes back a comment or a reply. Names the newest that is left, where the one removed was the newest. */
export async function lostAComment(tx: Db, topic: Topic, newest: { by: string; at: Date } | null | undefined): Promise<void> {
  const settings = await setting.all(tx)
  const commentCount = topic.commentCount - 1
  await tx
    .updateTable('topic')
    .set({
      comment_count: commentCount,
      heat: heatOf(settings, sql`${commentCount}::int`, sql`topic.view_count`),
      ...(newest !== undefined && { last_reply_at: newest?.at ?? sql<Date>`published_at`, last_reply_by: newest?.by ?? null }),
    })
    .where('id', '=', topic.id)
    .execute()
  wasChanged(tx, topic)
}

/** What shows this topic or what is under it is out of date. */
export function wasChanged(tx: Db, topic: Topic): void {
  touch(tx, `topic:${topic.id}`)
  tag.touchLists(tx, topic.tagId, topic.parentTagId)
}

function seen(viewer: Viewer, topic: Topic | undefined): Topic {
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
    ])
    .select(['topic.takes_comments as takesComments', 'topic.floors', 'topic.author_floors as authorFloors'])
    .select(['topic.comment_count as commentCount', 'topic.last_reply_at as lastReplyAt'])
}
