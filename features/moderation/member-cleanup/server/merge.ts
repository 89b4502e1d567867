import * as audit from '#audit/server/audit.ts'
import type { ParsedInput } from '#base/contract.ts'
import { dispatch } from '#base/server/moments.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { resumeUnfinished } from '#base/server/jobs/resume-unfinished.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as contact from '#contact/server/contact.ts'
import * as member from '#member/server/member.ts'
import * as notification from '#notification/server/notification.ts'
import * as user from '#user/server/user.ts'
import * as posts from '#post/server/post.ts'
import { NotItsName, type mergeMembers } from '#member-cleanup/contract.ts'
import { transferBans, transferOwnedRows, assertMergeable, mergeTarget, type Pair } from '#member-cleanup/server/transfer.ts'
import { transferPosts, somePostsBy } from '#member-cleanup/server/transfer-posts.ts'

/**
 * Closes the account of one member, and begins to transfer its posts to another. The posts move in transactions of their own, because
 * writers lock a topic before its author.
 */
export async function begin(tx: Db, by: StaffActor, client: ClientInfo, input: ParsedInput<typeof mergeMembers>): Promise<void> {
  const { memberId, account, reason } = input
  const { id: intoId } = await mergeTarget(tx, input)
  const pair = { from: memberId, into: intoId }
  // In order of ids, so that concurrent merges of the same two do not deadlock.
  for (const id of [memberId, intoId].toSorted((one, other) => Number(BigInt(one) - BigInt(other)))) await member.lockUnlessStaff(tx, id)
  await assertMergeable(tx, pair)
  const old = await member.lockUnlessStaff(tx, memberId)
  if (old.account !== account) throw NotItsName()
  const bans = await transferBans(tx, by, pair)
  await tx.updateTable('member_cleanup').set({ member_id: intoId, disabled: false }).where('member_id', '=', memberId).execute()
  await tx.insertInto('member_merge').values({ from_id: memberId, into_id: intoId, staff_id: by.id }).execute()
  const before = [...(await contact.addressesOf(tx, intoId)), ...(await contact.addressesOf(tx, memberId))]
  await dispatch(tx, 'membersMerging', pair)
  await member.closeAccount(tx, old, reason, intoId)
  await audit.note(tx, by, client, { action: 'member.merge', about: `member ${memberId}`, reason, after: { into: intoId, bans } })
  await notifyBothOwners(tx, pair, old.account, before)
}

/** The owners of both accounts learn that the login methods of one lead into the other now. */
async function notifyBothOwners(tx: Db, { into }: Pair, name: string, addresses: readonly contact.Address[]): Promise<void> {
  const { account } = await tx.selectFrom('member').select('account').where('id', '=', into).executeTakeFirstOrThrow()
  await notification.notify(tx, into, { kind: 'accountsMerged', name })
  await contact.notifyAllAddresses(tx, into, 'accountsMerged', { values: { name, into: account }, addresses })
}

/** Resumes every unfinished merge, wherever it stopped. */
export function resume(database: Database): Promise<void> {
  return resumeUnfinished({ unfinished: () => unfinished(database), step: (id) => transact(database, (tx) => step(tx, id)) })
}

async function unfinished({ app }: Database): Promise<string[]> {
  const rows = await app.selectFrom('member_merge').select('id').where('status', '=', 'merging').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Transfers some posts, and the rest once there are none left. False where another process runs it, or it is finished. */
export async function step(tx: Db, mergingId: string): Promise<boolean> {
  const merging = await tx
    .selectFrom('member_merge')
    .select(['id', 'from_id as from', 'into_id as into'])
    .where('id', '=', mergingId)
    .where('status', '=', 'merging')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!merging) return false
  const found = await posts.lockPosts(tx, await somePostsBy(tx, merging.from), { includesErased: true })
  if (found.length > 0) await transferPosts(tx, merging, found)
  const isLast = found.length === 0 && (await transferOwnedRows(tx, merging)) === 0
  if (isLast) await transferRemainder(tx, merging)
  await tx
    .updateTable('member_merge')
    .set((row) => ({ moved: row('moved', '+', found.length), ...(isLast && { status: 'merged' }) }))
    .where('id', '=', merging.id)
    .execute()
  return true
}

async function transferRemainder(tx: Db, { from, into, id }: Pair & { id: string }): Promise<void> {
  await user.lock(tx, [from, into])
  await dispatch(tx, 'membersMerged', { from, into, mergingId: id })
  invalidate(tx, `member:${from}`, `member:${into}`, 'titles')
}
