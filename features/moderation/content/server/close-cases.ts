import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as notification from '#notification/server/notification.ts'
import * as posts from '#post/server/post.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

const locationColumns = ['id', 'kind', 'thing_id', 'topic_id', 'comment_id', 'author_id'] as const
const thread = sql<ThreadKind>`(select topic.kind from topic where topic.id = topic_id)`.as('thread')
type ErasedPost = { kind: Kind; thread: ThreadKind; thing_id: string; topic_id: string; comment_id: string | null }

/** Settles the reports and appeals of a post that is erased, and of all under a topic: the reports succeed, the appeals fail, and both sides are told without its words. */
export async function closeCases(tx: Db, by: StaffActor, { kind, id }: { kind: Kind; id: string }): Promise<void> {
  const isIts = posts.isAboutPost({ kind, id, withReplies: true }, 'thing_id')
  const cases = (await tx.selectFrom('report_case').select('id').where(isIts).execute()).map((row) => row.id)
  const appeals = (await tx.selectFrom('removal').select('id').where(isIts).execute()).map((row) => row.id)
  await clearPictures(tx, cases)
  for (const one of await upholdCases(tx, by, cases)) {
    const reports = await tx
      .updateTable('report')
      .set({ status: 'succeeded', decided_at: sql`now()` })
      .where('case_id', '=', one.id)
      .where('deleted_by_staff_at', 'is', null)
      .returning('reporter_id')
      .execute()
    const reporters = reports.map(({ reporter_id }) => reporter_id)
    await notification.notify(tx, reporters, { kind: 'reportDecided', post: emptyView(one), outcome: 'succeeded', result: '' })
  }
  for (const one of await confirmRemovals(tx, by, appeals))
    await notification.notify(tx, one.author_id, { kind: 'appealAnswered', post: emptyView(one), outcome: 'confirmed', answer: '' })
}

// Pictures in reports show the post.
async function clearPictures(tx: Db, cases: readonly string[]): Promise<void> {
  const rows = await tx
    .deleteFrom('report_picture')
    .using('report')
    .whereRef('report.id', '=', 'report_id')
    .where('case_id', '=', anyOf(cases))
    .returning('file_id')
    .execute()
  await file.releaseUnused(
    tx,
    rows.map(({ file_id }) => file_id),
  )
}

function upholdCases(tx: Db, by: StaffActor, ids: readonly string[]) {
  return tx
    .updateTable('report_case')
    .set({ outcome: 'succeeded', decided_by: by.id, decided_at: sql`now()`, ...unclaimed, changed_by: by.id })
    .where('id', '=', anyOf(ids))
    .where('outcome', 'is', null)
    .returning([...locationColumns, thread])
    .execute()
}

function confirmRemovals(tx: Db, by: StaffActor, ids: readonly string[]) {
  return tx
    .updateTable('removal')
    .set({ appeal_outcome: 'confirmed', answered_by: by.id, answered_at: sql`now()`, ...unclaimed })
    .where('id', '=', anyOf(ids))
    .where('appeal', 'is not', null)
    .where('appeal_outcome', 'is', null)
    .returning([...locationColumns, thread])
    .execute()
}

const unclaimed = { claimed_by: null, claimed_at: null, version: sql<number>`version + 1` }

function emptyView({ kind, thread, thing_id, topic_id, comment_id }: ErasedPost): notification.PostView {
  return { kind, thread, id: thing_id, topicId: topic_id, commentId: comment_id, title: '', excerpt: '' }
}
