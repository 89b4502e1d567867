import { sql } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { ThingView } from '#report/contract.ts'
import * as posts from '#post/server/post.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

/** A post that can be reported: visible to the reporter. */
export type ReportablePost = {
  kind: Kind
  id: string
  topicId: string
  commentId: string | null
  replyId: string | null
  authorId: string
  title: string
  excerpt: string
}

export async function find(db: Db, viewer: Viewer, kind: Kind, id: string): Promise<ReportablePost> {
  const post = (await posts.visible(db, viewer, [{ kind, id }])).get(`${kind} ${id}`)
  if (!post) throw Missing()
  const { thread: _, ...its } = post
  return { ...its, replyId: kind === 'reply' ? id : null }
}

const postColumns = ['kind', 'thing_id', 'topic_id', 'comment_id', 'title', 'excerpt'] as const

/** SQL for the kind of the thread of a post. */
export const threadKind = (table: 'report_case' | 'removal') =>
  sql<ThreadKind>`(select topic.kind from topic where topic.id = ${sql.ref(`${table}.topic_id`)})`

export const thingColumns = [...postColumns.map((column) => `report_case.${column}` as const), threadKind('report_case').as('thread')]
export const removedColumns = [...postColumns.map((column) => `removal.${column}` as const), threadKind('removal').as('thread')]

type Row = { kind: Kind; thread: ThreadKind; thing_id: string; topic_id: string; comment_id: string | null; title: string; excerpt: string }

export function thingView({ kind, thread, thing_id, topic_id, comment_id, title, excerpt }: Row): ThingView {
  return { kind, thread, id: thing_id, topicId: topic_id, commentId: comment_id, title, excerpt }
}
