import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import {
  FolderGone,
  FolderThere,
  maxFolders,
  TooManyFolders,
  type addFolder,
  type editFolder,
  type FolderView,
} from '#favourite/contract.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'

/** A member's folders by name, with the number of favourites in each; for others only public ones. */
export async function of(db: Db, memberId: string, { all }: { all: boolean }): Promise<FolderView[]> {
  const { rows } = await sql<FolderView>`
    select id::text as id, name, is_public as "isPublic", (select count(*)::int from favourite where folder_id = folder.id) as count
    from favourite_folder as folder where member_id = ${memberId} and (is_public or ${all}) order by name collate "C", id`.execute(db)
  return rows
}

export async function add(tx: Db, member: Member, { name, isPublic }: ParsedInput<typeof addFolder>): Promise<Output<typeof addFolder>> {
  if (isPublic) await sensitiveWord.refuseIn(tx, { name })
  // The row lock makes concurrent calls wait, so that the limit holds.
  await sql`select from member where id = ${member.id} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number; isThere: boolean }>`
    select count(*)::int as count, coalesce(bool_or(name = ${name}), false) as "isThere" from favourite_folder
    where member_id = ${member.id}`.execute(tx)
  if (rows[0]?.isThere) throw FolderThere()
  if ((rows[0]?.count ?? 0) >= maxFolders) throw TooManyFolders({ most: maxFolders })
  const row = { member_id: member.id, name, is_public: isPublic }
  const { id } = await tx.insertInto('favourite_folder').values(row).returning('id').executeTakeFirstOrThrow()
  return { folderId: id }
}

export async function edit(tx: Db, member: Member, { folderId, name, isPublic }: ParsedInput<typeof editFolder>): Promise<void> {
  if (isPublic) await sensitiveWord.refuseIn(tx, { name })
  await sql`select from member where id = ${member.id} for no key update`.execute(tx)
  const mine = tx.selectFrom('favourite_folder').select('id').where('member_id', '=', member.id)
  if (await mine.where('name', '=', name).where('id', '<>', folderId).executeTakeFirst()) throw FolderThere()
  const [changed] = await tx
    .updateTable('favourite_folder')
    .set({ name, is_public: isPublic })
    .where('id', '=', folderId)
    .where('member_id', '=', member.id)
    .returning('id')
    .execute()
  if (!changed) throw FolderGone()
}

export async function remove(tx: Db, member: Member, folderId: string): Promise<void> {
  const [removed] = await tx
    .deleteFrom('favourite_folder')
    .where('id', '=', folderId)
    .where('member_id', '=', member.id)
    .returning('id')
    .execute()
  if (!removed) throw Missing()
}
