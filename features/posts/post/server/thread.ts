import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { statement, type Parameters, type Value } from '#base/server/database/statement.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { QuestionState, ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { mayView } from '#post/server/may.ts'

/** A thread with the fields that its posts depend on. */
export type Thread = {
  id: string
  kind: ThreadKind
  title: string
  tagId: string
  parentTagId: string | null
  /** Its further tags and the parents of those, whose lists show it, too. */
  alsoListedIn: string[]
  authorId: string
  status: 'pending' | 'published' | 'deleted'
  /** Its status before the deletion. */
  deletedFrom: 'pending' | 'published' | null
  deletedBy: 'author' | 'staff' | null
  takesComments: boolean
  /** The asker withdrew the question; its answers stay. */
  isWithdrawn: boolean
  /** The author, if they closed it. */
  closedBy: string | null
  floors: number
  authorFloors: number
  /** Its state, if it is a question. */
  questionState: QuestionState | null
  /** Whether it has an accepted answer, also if it is withdrawn. */
  isResolved: boolean
  /** Since this time new posts do not move it up. */
  sunkAt: Date | null
  isFeatured: boolean
  publishedAt: Date
  version: number
  aiLabel: AiLabelView
}

/** A published thread that this viewer may see. All access to posts in a thread goes through here. */
export async function findThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  const thread = await findOwnThread(db, viewer, topicId)
  if (thread.status !== 'published') throw Missing()
  return thread
}

/** The same, or an unpublished thread of the viewer's own. */
export async function findOwnThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  return requireVisible(viewer, await loadThread(db, topicId))
}

/** A query for a thread by its id without an access check, to be extended in the same statement; the caller checks access afterwards. */
export function threadById(db: Db, topicId: Value<string>) {
  return select(db).where('topic.id', '=', topicId)
}

const threadWithId = statement((db, { topicId }: Parameters<{ topicId: string }>) => threadById(db, topicId))

/** A thread without an access check; the caller checks access. */
export async function loadThread(db: Db, topicId: string): Promise<Thread | undefined> {
  return (await threadWithId(db, { topicId }))[0]
}

/** As `findOwnThread`, with a row lock until the transaction ends. */
export async function lockThread(tx: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  return requireVisible(viewer, await select(tx).where('topic.id', '=', topicId).forUpdate('topic').executeTakeFirst())
}

/** Locks a thread for staff, removed or not, unless its content is erased. */
export async function lockAnyThread(tx: Db, topicId: string): Promise<Thread> {
  const thread = await select(tx).where('topic.id', '=', topicId).where('purged_at', 'is', null).forUpdate('topic').executeTakeFirst()
  if (!thread) throw Missing()
  return thread
}

/** Whether erased posts are included. */
export type LockOptions = { includesErased: boolean }

/** The same for many threads, locked in order of id, so that concurrent transactions do not deadlock. */
export async function lockAnyThreads(tx: Db, topicIds: readonly string[], { includesErased }: LockOptions): Promise<Map<string, Thread>> {
  const rows = await select(tx)
    .where('topic.id', '=', anyOf(topicIds))
    .$if(!includesErased, (query) => query.where('purged_at', 'is', null))
    .orderBy('topic.id')
    .forUpdate('topic')
    .execute()
  return new Map(rows.map((thread) => [thread.id, thread]))
}

/** The number of floors of a published thread and its access rule, for broadcasts to many viewers. */
export async function publicStateOf(db: Db, topicId: string): Promise<{ floors: number; seenBy(viewer: Viewer): boolean } | null> {
  const thread = await select(db).where('topic.id', '=', topicId).where('topic.status', '=', 'published').executeTakeFirst()
  return thread ? { floors: thread.floors, seenBy: (viewer) => mayView(viewer, thread) } : null
}

/** Returns the thread if this viewer may see it; otherwise throws Missing. */
export function requireVisible<Row extends Thread>(viewer: Viewer, thread: Row | undefined): Row {
  if (!thread || !mayView(viewer, thread)) throw Missing()
  return thread
}

const columns = [
  sql<string>`topic.id`.as('id'),
  sql<ThreadKind>`topic.kind`.as('kind'),
  sql<string>`topic.title`.as('title'),
  sql<string>`topic.tag_id`.as('tagId'),
  sql<string | null>`(select parent_id from tag where tag.id = topic.tag_id)`.as('parentTagId'),
  tag.alsoListedIn.as('alsoListedIn'),
  sql<string>`topic.author_id`.as('authorId'),
  sql<Thread['status']>`topic.status`.as('status'),
  sql<Thread['deletedFrom']>`topic.deleted_from`.as('deletedFrom'),
  sql<Thread['deletedBy']>`topic.deleted_by`.as('deletedBy'),
  sql<boolean>`topic.takes_comments and topic.withdrawn_at is null`.as('takesComments'),
  sql<boolean>`topic.withdrawn_at is not null`.as('isWithdrawn'),
  sql<string | null>`topic.closed_by`.as('closedBy'),
  sql<number>`topic.floors`.as('floors'),
  sql<number>`topic.author_floors`.as('authorFloors'),
  sql<QuestionState | null>`topic.question_state`.as('questionState'),
  sql<boolean>`topic.is_resolved`.as('isResolved'),
  sql<Date | null>`topic.sunk_at`.as('sunkAt'),
  sql<boolean>`topic.featured_at is not null`.as('isFeatured'),
  sql<Date>`topic.published_at`.as('publishedAt'),
  sql<number>`topic.version`.as('version'),
  sql<AiLabelView>`topic.ai_label`.as('aiLabel'),
]

/** The same columns, for statements that join the thread. */
export const threadColumns = sql.join(columns, sql`, `)

function select(db: Db) {
  return db.selectFrom('topic').select(columns)
}
