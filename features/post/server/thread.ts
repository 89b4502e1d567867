import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { QuestionState, ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as may from '#post/server/may.ts'

/** A thread as all that stands in it needs to know it. */
export type Thread = {
  id: string
  kind: ThreadKind
  title: string
  tagId: string
  parentTagId: string | null
  /** Its further tags and the tags above those, whose lists show it too. */
  alsoListedIn: string[]
  authorId: string
  status: 'pending' | 'published' | 'deleted'
  /** What it was before it was deleted. */
  deletedFrom: 'pending' | 'published' | null
  deletedBy: 'author' | 'staff' | null
  takesComments: boolean
  /** Its asker took its words away, and its answers stay. */
  isWithdrawn: boolean
  /** Who closed it, where that was its author. */
  closedBy: string | null
  floors: number
  authorFloors: number
  /** How it stands, where it asks. */
  questionState: QuestionState | null
  /** Whether an answer solved it, also where it is withdrawn. */
  isResolved: boolean
  /** Since when what is said here does not bring it up. */
  sunkAt: Date | null
  isFeatured: boolean
  publishedAt: Date
  version: number
  aiLabel: AiLabelView
}

/** The thread, if it is published where this viewer may look. Everything that stands in one is reached through here. */
export async function findThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  const thread = await findOwnThread(db, viewer, topicId)
  if (thread.status !== 'published') throw Missing()
  return thread
}

/** The same, and also one of the viewer's own that is not published yet. */
export async function findOwnThread(db: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  return seen(viewer, await threadById(db, topicId).executeTakeFirst())
}

/** A thread by its id, whoever asks, so that more can be asked in the same statement; `seen` then says whether they may look. */
export function threadById(db: Db, topicId: string) {
  return select(db).where('topic.id', '=', topicId)
}

/** That too, with others who want to change it waiting until this transaction ends. */
export async function lockThread(tx: Db, viewer: Viewer, topicId: string): Promise<Thread> {
  return seen(viewer, await select(tx).where('topic.id', '=', topicId).forUpdate('topic').executeTakeFirst())
}

/** A thread as staff find it, deleted or not, unless its words are gone for good; others who want to change it wait. */
export async function lockAnyThread(tx: Db, topicId: string): Promise<Thread> {
  const thread = await select(tx).where('topic.id', '=', topicId).where('purged_at', 'is', null).forUpdate('topic').executeTakeFirst()
  if (!thread) throw Missing()
  return thread
}

/** Whether those are meant, too, whose words are gone for good. */
export type Which = { erasedToo: boolean }

/** The same for many, locked in one order, so that two who do so wait for one another, and not in a circle. */
export async function lockAnyThreads(tx: Db, topicIds: readonly string[], { erasedToo }: Which): Promise<Map<string, Thread>> {
  const rows = await select(tx)
    .where('topic.id', '=', anyOf(topicIds))
    .$if(!erasedToo, (query) => query.where('purged_at', 'is', null))
    .orderBy('topic.id')
    .forUpdate('topic')
    .execute()
  return new Map(rows.map((thread) => [thread.id, thread]))
}

/** How a published thread stands, and who may know: for those who tell many people at once. */
export async function standingOf(db: Db, topicId: string): Promise<{ floors: number; seenBy(viewer: Viewer): boolean } | null> {
  const thread = await select(db).where('topic.id', '=', topicId).where('topic.status', '=', 'published').executeTakeFirst()
  return thread ? { floors: thread.floors, seenBy: (viewer) => may.view(viewer, thread) } : null
}

/** The thread, if this viewer may look there and it is published or their own. */
export function seen<Row extends Thread>(viewer: Viewer, thread: Row | undefined): Row {
  if (!thread || !may.view(viewer, thread)) throw Missing()
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

/** The same columns, for statements that find a thread on their way. */
export const threadColumns = sql.join(columns, sql`, `)

function select(db: Db) {
  return db.selectFrom('topic').select(columns)
}
