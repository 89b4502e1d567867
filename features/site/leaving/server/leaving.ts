import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Member } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import { graceDays, GiveUpFirst, LeavingAlready, NotLeaving, StaffStay, type leave as leaveCall, type leaving } from '#leaving/contract.ts'
import * as member from '#member/server/member.ts'
import * as notification from '#notification/server/notification.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, currencies, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

export async function show(db: Db, viewer: Member): Promise<Output<typeof leaving>> {
  const [accounts, settings, row, request] = await Promise.all([
    wallet.accountsOf(db, viewer.id),
    setting.all(db),
    db
      .selectFrom('member')
      .select(sql<number>`topic_count + comment_count + reply_count`.as('posts'))
      .where('id', '=', viewer.id)
      .executeTakeFirstOrThrow(),
    db.selectFrom('account_deletion').select('erase_at').where('member_id', '=', viewer.id).executeTakeFirst(),
  ])
  return {
    isStaff: viewer.isOfficial ?? false,
    mayRemovePosts: settings.allowPostRemovalOnDeletion,
    posts: row.posts,
    left: sums(accounts, 'balance'),
    held: sums(accounts, 'held'),
    eraseAt: request?.erase_at.toISOString() ?? null,
  }
}

/** Deactivates until the next login; or permanently, once the days to stay are over. */
export async function leave(tx: Db, viewer: Member, { way, posts, givesUp }: ParsedInput<typeof leaveCall>): Promise<void> {
  if (viewer.isOfficial) throw StaffStay()
  await secondFactor.requireRecentProof(tx, viewer)
  await member.lockUnlessStaff(tx, viewer.id)
  if (way === 'erase') await requestErasure(tx, viewer.id, posts, givesUp)
  await tx
    .updateTable('member')
    .set({ deactivated_at: sql`now()`, deactivated_as: 'left', deactivated_because: null })
    .where('id', '=', viewer.id)
    .execute()
  await account.endAllSessions(tx, viewer.id, 'deactivated')
  invalidate(tx, `member:${viewer.id}`)
}

async function requestErasure(tx: Db, memberId: string, posts: 'stay' | 'remove', givesUp: boolean): Promise<void> {
  if (posts === 'remove' && !(await setting.all(tx)).allowPostRemovalOnDeletion) throw FunctionClosed()
  const accounts = await wallet.accountsOf(tx, memberId)
  const isEmpty = currencies.every((one) => accounts[one].balance === 0n && accounts[one].held === 0n)
  if (!isEmpty && !givesUp) throw GiveUpFirst()
  const row = await tx
    .insertInto('account_deletion')
    .values({ member_id: memberId, posts, erase_at: sql<Date>`now() + ${graceDays} * interval '1 day'` })
    .onConflict((conflict) => conflict.column('member_id').doNothing())
    .returning('erase_at')
    .executeTakeFirst()
  if (!row) throw LeavingAlready()
  await notification.notify(tx, memberId, { kind: 'leavingBegun', endsAt: row.erase_at.toISOString() })
  await contact.emailOwner(tx, memberId, 'leavingBegun')
}

export async function stay(tx: Db, viewer: Member): Promise<void> {
  const row = await tx
    .deleteFrom('account_deletion')
    .where('member_id', '=', viewer.id)
    .where('begun_at', 'is', null)
    .returning('member_id')
    .executeTakeFirst()
  if (!row) throw NotLeaving()
}

function sums(accounts: Record<Currency, { balance: Minor; held: Minor }>, name: 'balance' | 'held') {
  return currencies.flatMap((currency) => {
    const amount = accounts[currency][name]
    return amount > 0n ? [{ currency, amount: serializeAmount(currency, amount) }] : []
  })
}
