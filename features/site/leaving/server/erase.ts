import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { memberColumnsOf } from '#base/server/feature.ts'
import { dispatch } from '#base/server/moments.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { resumeUnfinished } from '#base/server/jobs/resume-unfinished.ts'
import * as contact from '#contact/server/contact.ts'
import * as file from '#file/server/file.ts'
import * as member from '#member/server/member.ts'
import * as posts from '#post/server/post.ts'
import * as user from '#user/server/user.ts'

const postsPerTransaction = 50

/** Erases all accounts that are due, and resumes unfinished ones, wherever they stopped. */
export async function eraseDue(database: Database): Promise<void> {
  await resumeUnfinished({ unfinished: () => due(database), step: (id) => transact(database, (tx) => step(tx, id)) })
}

async function due({ app }: Database): Promise<string[]> {
  const rows = await app
    .selectFrom('account_deletion')
    .select('member_id')
    .where(sql<boolean>`erase_at <= now()`)
    .orderBy('erase_at')
    .execute()
  return rows.map((row) => row.member_id)
}

/** The next step of one erasure: first it becomes final, then the posts, then the rest. False where another process runs it. */
async function step(tx: Db, memberId: string): Promise<boolean> {
  const leaving = await tx
    .selectFrom('account_deletion')
    .select(['posts', 'begun_at'])
    .where('member_id', '=', memberId)
    .where(sql<boolean>`erase_at <= now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!leaving) return false
  if (!leaving.begun_at) {
    await begin(tx, memberId)
    return true
  }
  const going = leaving.posts === 'remove' ? await posts.postsToErase(tx, memberId, postsPerTransaction) : []
  if (going.length > 0) {
    await posts.eraseWithAuthor(tx, going)
    invalidate(tx, `member:${memberId}`, 'titles')
    return true
  }
  await eraseRest(tx, memberId, leaving.posts === 'remove')
  await tx.deleteFrom('account_deletion').where('member_id', '=', memberId).execute()
  return true
}

/** Makes the account anonymous and closes it. */
async function begin(tx: Db, memberId: string): Promise<void> {
  const { avatar, account: name, nickname } = await member.lockUnlessStaff(tx, memberId)
  // Reserves the names, against impersonation.
  for (const one of new Set([name, nickname ?? name]))
    if (!one.startsWith('~')) await user.recordFormerName(tx, memberId, { name: '~', key: user.nameKey(one), isShown: false })
  await tx.updateTable('former_name').set({ name: '~' }).where('member_id', '=', memberId).execute()
  await contact.emailOwner(tx, memberId, 'leavingDone')
  const stand = `~${memberId}`
  await tx
    .updateTable('member')
    .set({ account: stand, account_key: stand, nickname: null, nickname_key: null, freed_account: null, freed_nickname: null })
    .set({ password_hash: null, hint_question: null, hint_answer_hash: null, avatar: null, about: '', joined_ip: null })
    .set({ deactivated_at: sql`coalesce(deactivated_at, now())`, deactivated_as: 'erased', deactivated_because: null })
    .set({ shows_activity: false, shows_last_seen: false, version: sql`version + 1` })
    .where('id', '=', memberId)
    .execute()
  if (avatar) await file.release(tx, avatar)
  await account.endAllSessions(tx, memberId, 'deactivated')
  await dispatch(tx, 'memberErasing', memberId)
  await tx
    .updateTable('account_deletion')
    .set({ begun_at: sql`now()` })
    .where('member_id', '=', memberId)
    .execute()
  invalidate(tx, `member:${memberId}`, 'titles')
  await user.enqueueRenames(tx)
}

async function eraseRest(tx: Db, memberId: string, withPosts: boolean): Promise<void> {
  // First of all: an archive in progress is waited for, and goes with the member's files.
  await tx.deleteFrom('data_download').where('member_id', '=', memberId).execute()
  // From the moment of messages on, the transaction acts as this member, and so sees their conversations with the assistant.
  await dispatch(tx, 'memberErased', { memberId, withPosts })
  for (const { table, column } of deletedColumns(tx))
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${memberId}`.execute(tx)
  await file.expireOwned(tx, memberId)
}

/** Columns whose rows go with the member they name. */
export function deletedColumns(db: Db) {
  return memberColumnsOf(db)
    .filter(({ erase }) => erase === 'delete')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
