import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { markAllRead, undoAllRead } from '#comment/reading-contract.ts'
import * as tag from '#tag/server/tag.ts'

/** Marks all as read at this moment, without a row for each thread. The former mark is kept for undo. */
export async function mark(tx: Db, member: Member, { tagId }: ParsedInput<typeof markAllRead>): Promise<Output<typeof markAllRead>> {
  if (tagId) await tag.openTag(tx, member, tagId)
  const { at } = await tx
    .insertInto('read_all_marker')
    .values({ member_id: member.id, tag_id: tagId ?? null, at: now })
    .onConflict((there) =>
      there
        .columns(['member_id', 'tag_id'])
        .doUpdateSet({ at: sql`greatest(excluded.at, read_all_marker.at + interval '1 ms')`, before: sql`read_all_marker.at` }),
    )
    .returning('at')
    .executeTakeFirstOrThrow()
  return { at: at.toISOString() }
}

// In the precision of the response, by which undo finds the row.
const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

export async function undo(tx: Db, member: Member, { tagId, at }: ParsedInput<typeof undoAllRead>): Promise<void> {
  const mark = sql`member_id = ${member.id} and tag_id is not distinct from ${tagId ?? null}::bigint and at = ${at}::timestamptz`
  await sql`delete from read_all_marker where ${mark} and before is null`.execute(tx)
  await sql`update read_all_marker set at = before, before = null where ${mark}`.execute(tx)
}
