import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { maxPerBatch } from '#hidden-part/refund-contract.ts'
import { isRefunded } from '#hidden-part/server/lists.ts'
import type { Kind } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

type PostIds = { topicIds?: readonly string[]; commentIds?: readonly string[] }

/**
 * Posts are removed; their threads are locked. A removal by staff refunds the buyers, because the post broke a rule; a removal by the
 * author does if the setting says so.
 */
export async function onPostsRemoved(tx: Db, threads: PostIds, by: 'author' | 'staff'): Promise<void> {
  const { hiddenPartsRemoved } = await setting.current(tx, 'hiddenPartsRemoved')
  if (by === 'staff' || hiddenPartsRemoved === 'refund') await scheduleRefunds(tx, threads, { isErased: false })
}

/** Whether the forum refunded purchases of a post's parts since then. */
export async function refundedSince(db: Db, { kind, id }: { kind: Kind; id: string }, since: Date): Promise<boolean> {
  if (kind === 'reply') return false
  const { rows } = await sql`
    select from hidden.outline as placed join hidden.unlock as done on done.part_id = placed.id
      join ledger.transaction as returned on returned.reverses = done.transaction_id
    where ${sql.ref(`placed.${kind}_id`)} = ${id} and returned.actor_kind = 'forum' and returned.at >= ${since} limit 1`.execute(db)
  return rows.length > 0
}

/** The text of these posts is erased, so that buyers cannot read it any more. */
export function markErased(tx: Db, threads: PostIds): Promise<void> {
  return scheduleRefunds(tx, threads, { isErased: true })
}

async function scheduleRefunds(tx: Db, { topicIds = [], commentIds = [] }: PostIds, { isErased }: { isErased: boolean }): Promise<void> {
  await sql`select hidden.mark_refund_due(${topicIds}::bigint[], ${commentIds}::bigint[], ${isErased})`.execute(tx)
}

/** Pays all due refunds, a limited number of purchases per transaction. A post that is back on the page by then is not refunded. */
export async function refundDue(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const due = await database.app.selectFrom('refund_due').select('part_id').orderBy('since').execute()
  for (const { part_id } of due) while (await transact(database, (tx) => refundBatch(tx, part_id)));
}

/** Returns false when nothing is left to do, or another server holds the row. */
async function refundBatch(tx: Db, partId: string): Promise<boolean> {
  const { isGone } = await lockPost(tx, partId)
  const due = await tx
    .selectFrom('refund_due')
    .select('is_erased')
    .where('part_id', '=', partId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!due) return false
  const all = isGone || due.is_erased ? await duePurchases(tx, partId) : []
  const ids = all.flatMap(({ id, isMerging }) => (isMerging ? [] : id))
  const posted = await wallet.reverseAll(tx, ids, { by: { kind: 'forum' } })
  await wallet.notifyMoved(
    tx,
    posted.flatMap(({ id, isNew }) => (isNew ? id : [])),
    { kind: 'hiddenPartGone' },
  )
  if (all.length === ids.length && all.length < maxPerBatch) await tx.deleteFrom('refund_due').where('part_id', '=', partId).execute()
  return ids.length === maxPerBatch
}

/** Whether a part's post or thread is deleted. The row lock keeps that so until the transaction ends. */
async function lockPost(tx: Db, partId: string): Promise<ThreadState> {
  const before = await findPost(tx, partId)
  await tx.selectFrom('topic').select('id').where('id', '=', before.threadId).forShare().executeTakeFirstOrThrow()
  const now = await findPost(tx, partId)
  return now.threadId === before.threadId ? now : lockPost(tx, partId)
}

type ThreadState = { threadId: string; isGone: boolean }

async function findPost(tx: Db, partId: string): Promise<ThreadState> {
  const { rows } = await sql<ThreadState>`
    select thread_id as "threadId", topic.status = 'deleted' or coalesce(comment.status = 'deleted', false) as "isGone"
    from hidden.outline as placed join topic on topic.id = thread_id left join comment on comment.id = comment_id
    where placed.id = ${partId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`There is no part ${partId}`)
  return row
}

/**
 * Purchases of accounts that are being merged are included but wait for the merge. A purchase between two accounts that became one needs
 * no refund.
 */
async function duePurchases(tx: Db, partId: string): Promise<{ id: string; isMerging: boolean }[]> {
  const { rows } = await sql<{ id: string; isMerging: boolean }>`
    select done.transaction_id as id, coalesce(buyer.merged_into, author.merged_into) is not null as "isMerging"
    from hidden.unlock as done join hidden.outline as placed on placed.id = part_id
      join member as buyer on buyer.id = member_id join member as author on author.id = author_id
    where part_id = ${partId} and transaction_id is not null and buyer.id <> author.id and not ${isRefunded}
    order by "isMerging", done.id limit ${maxPerBatch}`.execute(tx)
  return rows
}
