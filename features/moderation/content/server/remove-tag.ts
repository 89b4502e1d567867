import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import type { removeTag as removeTagCall } from '#content/contract.ts'
import { HasTagsBelow, TagNotOpen } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'

/** Removes a tag. All its topics, removed ones included, and members' counters move to another tag. */
export async function removeTag(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { tagId, to, reason }: ParsedInput<typeof removeTagCall>,
): Promise<Output<typeof removeTagCall>> {
  const { picture, isClosed, ...before } = await lock(tx, tagId)
  const holds = await tx.selectFrom('topic').select('id').where('tag_id', '=', tagId).limit(1).executeTakeFirst()
  if (holds && isClosed) tag.requireReadRight(by)
  const moved = holds ? await moveAll(tx, by, tagId, to) : 0
  await tx.deleteFrom('written').where('tag_id', '=', tagId).execute()
  await tx.deleteFrom('tag').where('id', '=', tagId).execute()
  if (picture) await file.release(tx, picture)
  tag.invalidateAll(tx)
  const after = { to: to ?? null, moved }
  await audit.note(tx, by.staff, client, { action: 'tag.remove', about: `tag ${tagId}`, ...(reason && { reason }), before, after })
  return { moved }
}

// The row lock keeps members from publishing in the tag until it is gone.
async function lock(tx: Db, tagId: string) {
  const row = await tx
    .selectFrom('tag')
    .select(['key', 'name_zh as zh', 'name_en as en', 'picture'])
    .select(
      sql<boolean>`is_restricted or exists (select from tag as above where above.id = tag.parent_id and above.is_restricted)`.as(
        'isClosed',
      ),
    )
    .where('id', '=', tagId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  const below = await tx.selectFrom('tag').select('id').where('parent_id', '=', tagId).limit(1).executeTakeFirst()
  if (below) throw HasTagsBelow()
  return row
}

async function moveAll(tx: Db, by: Staff, tagId: string, to: string | undefined): Promise<number> {
  if (to === undefined || to === tagId) throw TagNotOpen()
  const place = await tag.publishTarget(tx, by, to)
  await sql`
    insert into written (member_id, tag_id, thread_kind, topics, comments, replies)
    select member_id, ${place.id}::bigint, thread_kind, topics, comments, replies from written where tag_id = ${tagId}
    on conflict (member_id, tag_id, thread_kind) do update set
      topics = written.topics + excluded.topics,
      comments = written.comments + excluded.comments,
      replies = written.replies + excluded.replies`.execute(tx)
  await sql`update tag set topic_count = topic_count + (select topic_count from tag where id = ${tagId}) where id = ${place.id}`.execute(tx)
  const { numUpdatedRows } = await tx.updateTable('topic').set({ tag_id: place.id }).where('tag_id', '=', tagId).executeTakeFirst()
  return Number(numUpdatedRows)
}
