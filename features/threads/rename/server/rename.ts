import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { documentColumns, keysOf, renameIn, type RenamedMember } from '#rename/server/document-columns.ts'
import { renameInDrafts } from '#rename/server/drafts.ts'

const batchSize = 100
// The longest time between reading the old name and the commit of a post.
const longestWrite = '3 minutes'

type Rename = { member_id: string; version: number }

/**
 * Replaces the names of all renamed or erased members, wherever a text mentions them. A crashed run starts again, and finds most of it
 * done. Each member is checked once more a little later, and then is finished.
 */
export async function applyRenames(database: Database): Promise<void> {
  for (const its of await due(database.app)) {
    await applyRename(database, its.member_id)
    await finish(database.app, its)
  }
}

async function due(db: Db): Promise<Rename[]> {
  const { rows } = await sql<Rename>`select member_id, version from rename
    where followed_at is null or renamed_at < now() - ${longestWrite}::interval order by renamed_at`.execute(db)
  return rows
}

async function applyRename(database: Database, memberId: string): Promise<void> {
  for (const its of documentColumns) {
    const keys = await keysOf(database.app, its, memberId)
    for (let at = 0; at < keys.length; at += batchSize)
      await transact(database, async (tx) => renameIn(tx, its, await nameOf(tx, memberId), keys.slice(at, at + batchSize)))
  }
  await transact(database, async (tx) => {
    await renameInDrafts(tx, await nameOf(tx, memberId))
    await sql`select hidden.rename(${memberId}::bigint)`.execute(tx)
  })
}

async function nameOf(db: Db, memberId: string): Promise<RenamedMember> {
  const { account, nickname } = await db
    .selectFrom('member')
    .select(['account', 'nickname'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { memberId, name: nickname ?? account }
}

// A member who was renamed again meanwhile stays queued.
async function finish(db: Db, { member_id, version }: Rename): Promise<void> {
  await sql`delete from rename where member_id = ${member_id} and version = ${version} and renamed_at < now() - ${longestWrite}::interval`.execute(
    db,
  )
  await sql`update rename set followed_at = now() where member_id = ${member_id} and version = ${version}`.execute(db)
}
