import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import { NothingToRefund, RefundedAlready } from '#hidden-part/contract.ts'
import { maxPerBatch, type refundTopic, type refundUnlock, type unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { isRefunded, partsIn, perPage } from '#hidden-part/server/lists.ts'
import { serializeAmount, toMinor, OwnAccount, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Row = {
  id: string
  topic_id: string
  member_id: string
  name: string
  lock: 'password' | 'points' | 'balance'
  paid: string
  earned: string
  at: Date
  transaction_id: string | null
  refund_id: string | null
  isOwn: boolean
  isWaiting: boolean
  canRefund: boolean
}

/** The purchases of a topic's parts, for staff. */
export async function forStaff(
  db: Db,
  by: Staff,
  { topicId, page }: ParsedInput<typeof unlocksForStaff>,
): Promise<Output<typeof unlocksForStaff>> {
  const ofTopic = sql`placed.id in (${partsIn(topicId)}) and ${await isVisible(db)}`
  const { rows: counts } = await sql<{ total: string; refundable: string }>`
    select (select count(*) from ${purchases} where ${ofTopic}) as total,
      (select count(*) from ${purchases} where ${ofTopic} and ${canRefund(by)}) as refundable`.execute(db)
  const pages = pagePosition(Number(counts[0]?.total ?? 0), page, perPage)
  const ids = sql`select done.id from ${purchases} where ${ofTopic} order by done.id desc limit ${perPage} offset ${(page - 1) * perPage}`
  const rows = await unlockRows(db, by, sql`done.id = any(array(${ids})) order by done.id desc`)
  return {
    unlocks: rows.map(({ member_id, name, paid, earned, at, transaction_id, refund_id, lock, id, isWaiting, canRefund: may }) => ({
      id,
      member: { id: member_id, name },
      lock,
      paid: amountView(lock, paid),
      earned: amountView(lock, earned),
      at: at.toISOString(),
      transactionId: transaction_id,
      refundId: refund_id,
      isWaiting: isWaiting && refund_id === null,
      canRefund: may,
    })),
    refundable: Number(counts[0]?.refundable ?? 0),
    ...pages,
  }
}

/** Refunds one purchase, immediately or on approval. */
export async function refundOne(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { unlockId, reason }: ParsedInput<typeof refundUnlock>,
): Promise<Output<typeof refundUnlock>> {
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, refund, { input: { unlockId }, reason })
  const [transactionId = null] = transactionIds
  if (!isWaiting && transactionId === null) throw RefundedAlready()
  return { isWaiting, transactionId }
}

export async function refundAll(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { topicId, reason }: ParsedInput<typeof refundTopic>,
): Promise<Output<typeof refundTopic>> {
  const all = await unlockRows(
    tx,
    by,
    sql`placed.id in (${partsIn(topicId)}) and ${await isVisible(tx)} and ${canRefund(by)} order by done.id limit ${maxPerBatch}`,
  )
  if (all.length === 0) throw NothingToRefund()
  const input = { topicId, unlockIds: all.map(({ id }) => id) }
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, topicRefund, { input, reason })
  if (!isWaiting && transactionIds.length === 0) throw NothingToRefund()
  const { refundable } = await forStaff(tx, by, { topicId, page: 1 })
  return { isWaiting, refunded: transactionIds.length, left: isWaiting ? 0 : refundable }
}

/** The refund of one purchase. Staff do not refund a purchase that touches their own account. */
export const refund: wallet.ManualMove<{ unlockId: string }> = {
  kind: 'refund',
  input: z.object({ unlockId: z.string() }),
  async check(tx, by, { unlockId }) {
    const [purchase] = await unlockRows(tx, by, sql`done.id = ${unlockId}`)
    if (!purchase) throw Missing()
    if (purchase.transaction_id === null) throw NothingToRefund()
    if (purchase.refund_id !== null) throw RefundedAlready()
    if (purchase.isOwn) throw OwnAccount()
    return { ...paidTotals([purchase]), memberId: purchase.member_id, topicId: purchase.topic_id, reverses: purchase.transaction_id }
  },
  async execute(tx, by, { unlockId }, cause) {
    const all = await unlockRows(tx, by, sql`done.id = ${unlockId}`)
    return (await reversePurchases(tx, all, all[0]?.topic_id ?? '', cause)) ?? RefundedAlready()
  },
}

/** The refund of a topic covers the purchases listed in the request, less those refunded meanwhile. */
export const topicRefund: wallet.ManualMove<{ topicId: string; unlockIds: string[] }> = {
  kind: 'topicRefund',
  input: z.object({ topicId: z.string(), unlockIds: z.array(z.string()) }),
  async check(tx, by, { topicId, unlockIds }) {
    const left = await unrefunded(tx, by, unlockIds)
    if (left.length === 0) throw NothingToRefund()
    if (left.some((one) => one.isOwn)) throw OwnAccount()
    return { ...paidTotals(left), topicId, detail: { purchases: left.length } }
  },
  async execute(tx, by, { topicId, unlockIds }, cause) {
    return (await reversePurchases(tx, await unrefunded(tx, by, unlockIds), topicId, cause)) ?? NothingToRefund()
  },
}

async function unrefunded(tx: Db, by: Staff, unlockIds: readonly string[]): Promise<Row[]> {
  const all = await unlockRows(tx, by, sql`done.id = ${anyOf(unlockIds)} order by done.id`)
  return all.filter((one) => one.refund_id === null)
}

/** Null if all of them were refunded meanwhile. */
async function reversePurchases(
  tx: Db,
  all: readonly Row[],
  topicId: string,
  { by, reason }: Pick<wallet.ManualCause, 'by' | 'reason'>,
): Promise<wallet.ExecutionResult | null> {
  const ids = all.flatMap(({ transaction_id }) => transaction_id ?? [])
  const posted = await wallet.reverseAll(tx, ids, { by, reason })
  const done = all.filter((_, place) => posted[place]?.isNew)
  if (done.length === 0) return null
  const transactionIds = posted.flatMap(({ id, isNew }) => (isNew ? id : []))
  await wallet.notifyMoved(tx, transactionIds, { kind: 'accountRefunded', reason })
  const paid = (lock: Row['lock']) => sumOf(lock, done)
  const after = { refunds: done.length, ...paid('points'), ...paid('balance'), ...(done.length === 1 && { member: done[0]?.name }) }
  return { transactionIds, note: { action: 'wallet.refund', about: `topic ${topicId}`, after } }
}

function paidTotals(rows: readonly Row[]): { points: Minor; cents: Minor } {
  const paid = (lock: Row['lock']) => toMinor(rows.reduce((sum, row) => sum + (row.lock === lock ? BigInt(row.paid) : 0n), 0n))
  return { points: paid('points'), cents: paid('balance') }
}

function sumOf(lock: Row['lock'], rows: readonly Row[]): Record<string, string> {
  const purchase = rows.filter((row) => row.lock === lock)
  const sum = purchase.reduce((so, { paid }) => so + BigInt(paid), 0n)
  return purchase.length === 0 ? {} : { [lock === 'balance' ? 'cny' : lock]: amountView(lock, String(sum)) }
}

function amountView(lock: Row['lock'], amount: string): string {
  return serializeAmount(lock === 'balance' ? 'cny' : 'points', toMinor(amount))
}

// A site without balances hides purchases paid in money.
async function isVisible(db: Db): Promise<RawBuilder<boolean>> {
  return (await wallet.visibleCurrencies(db)).includes('cny') ? sql<boolean>`true` : sql<boolean>`done.lock <> 'balance'`
}

const purchases = sql`hidden.unlock as done join hidden.outline as placed on placed.id = done.part_id`

function ownEntries(by: Staff): RawBuilder<unknown> {
  return sql`from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = done.transaction_id and entry.kind = 'unlock' and name = 'member' and owner_id = ${by.id}`
}

// A purchase between two accounts that became one needs no refund.
function canRefund(by: Staff): RawBuilder<boolean> {
  return sql<boolean>`(done.transaction_id is not null and done.member_id <> placed.author_id and not ${isRefunded} and not exists (select ${ownEntries(by)}))`
}

async function unlockRows(db: Db, by: Staff, condition: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'canRefund'> & { author_id: string }>`
    select done.id, placed.thread_id as topic_id, done.member_id, coalesce(nickname, member.account) as name, done.lock, done.paid, done.earned,
      done.at, done.transaction_id, (select id from ledger.transaction where reverses = done.transaction_id) as refund_id,
      exists (select from money_request where state = 'waiting' and (reverses = done.transaction_id
        or (kind = 'topicRefund' and topic_id = placed.thread_id and input -> 'unlockIds' ? done.id::text))) as "isWaiting",
      placed.author_id, (select count(*) ${ownEntries(by)}) > 0 as "isOwn"
    from ${purchases} join member on member.id = done.member_id where ${condition}`.execute(db)
  // Evaluated per row: as one set, the planner may read all entries of the actor.
  return rows.map(({ author_id, ...row }) => {
    const isPaid = row.transaction_id !== null && row.refund_id === null
    return { ...row, canRefund: isPaid && row.member_id !== author_id && !row.isOwn }
  })
}
