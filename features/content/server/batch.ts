import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import { few } from '#base/list.ts'
import type { Db } from '#base/server/database.ts'
import { hurry } from '#base/server/jobs.ts'
import { meant, narrowedAs } from '#base/server/many.ts'
import { staff, type From, type Staff } from '#base/server/route.ts'
import {
  commentsForStaff,
  repliesForStaff,
  TooLateToUndo,
  topicsForStaff,
  UndoneAlready,
  type doAtOnce,
  type undoBatch,
} from '#content/contract.ts'
import { rightFor, step } from '#content/server/batch-steps.ts'
import { isYoung, left, one } from '#content/server/batches.ts'
import { deeds, kindOf } from '#content/server/deeds.ts'
import { onward } from '#content/server/jobs.ts'
import { commentsIn, repliesIn, topicsIn } from '#content/server/lists.ts'
import type { Kind } from '#content/views.ts'

type Asked = Taken<typeof doAtOnce>

/** Does one deed to many things, each of which may refuse for itself; where they are more than a few, a job does. */
export async function begin(tx: Db, by: Staff, from: From, asked: Asked): Promise<Output<typeof doAtOnce>> {
  const { deed, reason, all } = asked
  const { right } = deeds[deed]
  staff(right)(by)
  const ids = await meantIn(tx, kindOf(deed), asked)
  staff(right, { proved: ids.length > few })(by)
  const batchId = await keep(tx, by, from, asked, ids)
  await goOnWith(tx, batchId, ids.length)
  const told = { deed, count: ids.length, ...(all && { filter: all }) }
  await audit.note(tx, by.staff, from, { deed: 'batch.begin', about: `batch ${batchId}`, ...(reason && { reason }), after: told })
  const { faults } = await left(tx, batchId, from.language)
  return { batch: await one(tx, batchId), faults }
}

/** Undoes what still stands as the batch left it. */
export async function undo(tx: Db, by: Staff, from: From, { batchId, reason }: Taken<typeof undoBatch>): Promise<Output<typeof undoBatch>> {
  const count = await open(tx, by, batchId)
  await tx
    .updateTable('staff_batch')
    .set({ state: 'undoing', undone_at: sql`now()`, undone_by: by.staff.id, undo_reason: reason || null, ip: from.ip })
    .set({ reached: '0', why_stopped: null })
    .where('id', '=', batchId)
    .execute()
  await goOnWith(tx, batchId, count)
  await audit.note(tx, by.staff, from, { deed: 'batch.undo', about: `batch ${batchId}`, ...(reason && { reason }) })
  return { batch: await one(tx, batchId), left: (await left(tx, batchId, from.language)).left }
}

async function goOnWith(tx: Db, batchId: string, count: number): Promise<void> {
  if (count <= few) await step(tx, batchId)
  else await hurry(tx, onward)
}

function meantIn(tx: Db, kind: Kind, asked: Asked): Promise<string[]> {
  if (kind === 'topic') return meant(tx, asked, (all) => topicsIn(tx, narrowedAs(topicsForStaff, all)))
  if (kind === 'comment') return meant(tx, asked, (all) => commentsIn(tx, narrowedAs(commentsForStaff, all)))
  return meant(tx, asked, (all) => repliesIn(tx, narrowedAs(repliesForStaff, all)))
}

async function keep(tx: Db, by: Staff, from: From, { deed, reason, all, tagId }: Asked, ids: readonly string[]): Promise<string> {
  const { id } = await tx
    .insertInto('staff_batch')
    .values({
      staff_id: by.staff.id,
      kind: kindOf(deed),
      deed,
      reason: reason || null,
      ip: from.ip,
      tag_id: tagId ?? null,
      filter: all ? JSON.stringify(all) : null,
      state: 'doing',
      total: ids.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into staff_batch_item (batch_id, item_id) select ${id}, unnest(${ids}::bigint[])`.execute(tx)
  return id
}

/** How many there are to undo. */
async function open(tx: Db, by: Staff, batchId: string): Promise<number> {
  const items = sql<number>`(select count(*)::int from staff_batch_item where batch_id = staff_batch.id and before is not null)`
  const batch = await tx
    .selectFrom('staff_batch')
    .select(['deed', 'undone_at', isYoung.as('is_young'), items.as('items')])
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  const right = batch && rightFor(batch.deed)
  if (!right) throw Missing()
  staff(right)(by)
  if (batch.undone_at) throw UndoneAlready()
  if (!batch.is_young) throw TooLateToUndo()
  return batch.items
}
