import { sql } from 'kysely'
import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedPost, MergedMembers, MergedThreads } from '#base/server/moments.ts'
import type { Member } from '#base/server/http/route.ts'
import { FolderGone, type editFavourite } from '#favourite/contract.ts'
import { Missing } from '#base/contract.ts'
import * as posts from '#post/server/post.ts'

/** Adds a thread to the favourites. Idempotent: an existing favourite keeps its folder. */
export async function add(tx: Db, member: Member, topicId: string): Promise<void> {
  await posts.findThread(tx, member, topicId)
  await tx
    .insertInto('favourite')
    .values({ topic_id: topicId, member_id: member.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function edit(tx: Db, member: Member, { topicId, folderId, note }: ParsedInput<typeof editFavourite>): Promise<void> {
  if (folderId) {
    const folder = await tx
      .selectFrom('favourite_folder')
      .select('id')
      .where('id', '=', folderId)
      .where('member_id', '=', member.id)
      .forShare()
      .executeTakeFirst()
    if (!folder) throw FolderGone()
  }
  const updated = await tx
    .updateTable('favourite')
    .set({ folder_id: folderId ?? null, note })
    .where('topic_id', '=', topicId)
    .where('member_id', '=', member.id)
    .returning('topic_id')
    .executeTakeFirst()
  if (!updated) throw Missing()
}

export async function remove(tx: Db, member: Member, topicId: string): Promise<void> {
  await tx.deleteFrom('favourite').where('topic_id', '=', topicId).where('member_id', '=', member.id).execute()
}

/**
 * The favourites of merged members: a topic that both saved stays in the folder of the remaining account, and folders of one name become one,
 * which is public only if both were.
 */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`
    insert into favourite_folder (member_id, name, is_public) select ${into}, name, is_public from favourite_folder where member_id = ${from}
    on conflict (member_id, name) do update set is_public = favourite_folder.is_public and excluded.is_public`.execute(tx)
  await sql`
    insert into favourite (topic_id, member_id, folder_id, note, at)
    select topic_id, ${into}, (select its.id from favourite_folder as its where its.member_id = ${into} and its.name = folder.name), note, at
    from favourite left join favourite_folder as folder on folder.id = folder_id where favourite.member_id = ${from}
    on conflict do nothing`.execute(tx)
  await tx.deleteFrom('favourite').where('member_id', '=', from).execute()
  await tx.deleteFrom('favourite_folder').where('member_id', '=', from).execute()
}

/** Gives the favourites of a thread to the one it goes on in, in their folders. */
export async function threadMerged(tx: Db, { from, into }: MergedThreads): Promise<void> {
  await sql`
    insert into favourite (topic_id, member_id, folder_id, note, at)
    select ${into}::bigint, member_id, folder_id, note, at from favourite where topic_id = ${from} on conflict do nothing`.execute(tx)
}

/** Deletes the favourites of a thread that is erased. */
export async function postErased(tx: Db, { kind, id: topicId, keepsThread }: ErasedPost): Promise<void> {
  if (kind === 'topic' && !keepsThread) await tx.deleteFrom('favourite').where('topic_id', '=', topicId).execute()
}
