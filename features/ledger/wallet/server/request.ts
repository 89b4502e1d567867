import { sql, type RawBuilder } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, NotAllowed, Refusal, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { countUpTo, paged } from '#base/server/database/paged.ts'
import { collect, featuresOf } from '#base/server/feature.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { AlreadyDecided, serializeAmount, toMinor, OwnRequest, RequestOutdated } from '#wallet/contract.ts'
import {
  RequestDetail,
  requestKinds,
  rightFor,
  type approveRequest,
  type declineRequest,
  type moneyRequests,
  type RequestKind,
  type RequestView,
} from '#wallet/request-contract.ts'
import { auditSubject, exceeds, onlyOne, auditAmounts, type ManualMove, type MovedAmounts } from '#wallet/server/approval.ts'
import { visibleCurrencies } from '#wallet/server/currencies.ts'
import { subjectsOf } from '#wallet/server/subject.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Kinds of manual transactions that may wait for a second member of staff, and the code that carries each out. */
    readonly moneyRequests?: readonly ManualMove<unknown>[]
  }
}

/** Approval by a second member of staff: checks the request again as things stand, and carries it out in the asker's name. */
export async function approve(tx: Db, by: Staff, client: ClientInfo, requestId: string): Promise<Output<typeof approveRequest>> {
  const row = await lockWaiting(tx, by, requestId)
  if (!by.staff.may(rightFor[row.kind])) throw NotAllowed()
  if (row.asked_by === by.staff.id) throw OwnRequest()
  const move = moveFor(tx, row.kind)
  const input = move.input.parse(row.input)
  if (exceeds(await move.check(tx, by, input), amountsOf(row))) throw RequestOutdated()
  const cause = { id: requestId, by: { kind: 'staff', id: row.asked_by }, reason: row.reason } as const
  const result = await move.execute(tx, by, input, cause)
  if (result instanceof Refusal) throw result
  const transactionId = onlyOne(result.transactionIds)
  await tx
    .updateTable('money_request')
    .set({ state: 'done', decided_by: by.staff.id, decided_at: sql`clock_timestamp()`, transaction_id: transactionId })
    .where('id', '=', requestId)
    .execute()
  const { about = auditSubject(subjectOf(row)), before, after } = result.note
  await audit.note(tx, by.staff, client, {
    action: 'wallet.approve',
    about,
    reason: row.reason,
    ...(before !== undefined && { before }),
    after: { ...auditAmounts(amountsOf(row)), ...(after as object | undefined), requestId },
  })
  return { transactionId }
}

export async function decline(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { requestId, reason }: ParsedInput<typeof declineRequest>,
): Promise<void> {
  const row = await lockWaiting(tx, by, requestId)
  if (row.asked_by !== by.staff.id && !by.staff.may(rightFor[row.kind])) throw NotAllowed()
  await tx
    .updateTable('money_request')
    .set({ state: 'declined', decided_by: by.staff.id, decided_at: sql`clock_timestamp()`, answer: reason })
    .where('id', '=', requestId)
    .execute()
  const before = { ...auditAmounts(amountsOf(row)), requestId }
  await audit.note(tx, by.staff, client, { action: 'wallet.decline', about: auditSubject(subjectOf(row)), reason, before })
}

const id = sql`money_request.id`
const keys = { asked: { by: id, as: 'bigint' } } as const

export async function list(db: Db, by: Staff, input: ParsedInput<typeof moneyRequests>): Promise<Answer<typeof moneyRequests>> {
  const { state, kind, member, account } = input
  let query = db
    .selectFrom('money_request')
    .leftJoin('member', 'member.id', 'member_id')
    .innerJoin('staff as asker', 'asker.id', 'asked_by')
    .leftJoin('staff as decider', 'decider.id', 'decided_by')
    .select([
      'money_request.id',
      'kind',
      'money_request.topic_id as topicId',
      'reverses',
      'points',
      'cents',
      'detail',
      'reason',
      'asked_by',
    ])
    .select(['asked_at as askedAt', 'state', 'decided_at as decidedAt', 'answer', 'transaction_id as transactionId'])
    .select(['asker.account as askedBy', 'decider.account as decidedBy'])
    .select((row) => ['member_id', row.fn.coalesce('member.nickname', 'member.account').as('name'), touchesOwnAccount(by).as('isOfMe')])
    .$if(!(await visibleCurrencies(db)).includes('cny'), (rows) => rows.where('cents', '=', '0'))
  if (state) query = query.where('state', '=', state)
  if (kind) query = query.where('kind', '=', kind)
  if (member) query = query.where('member_id', '=', member)
  if (account) query = query.where('asker.account', '=', account)
  const page = await paged(db, query, { ...input, keys, id })
  const topics = await subjectsOf(
    db,
    by,
    page.rows.flatMap(({ topicId }) => (topicId === null ? [] : `topic:${topicId}`)),
  )
  const rows = page.rows.map(({ member_id, name, points, cents, asked_by, ...row }) => ({
    ...row,
    member: member_id === null ? null : { id: member_id, name: name ?? member_id },
    topic: topics.get(`topic:${row.topicId}`) ?? null,
    amounts: amountsOut(amountsOf({ points, cents })),
    detail: RequestDetail.parse(row.detail),
    isMine: asked_by === by.staff.id,
    mayDecide: by.staff.may(rightFor[row.kind]),
  }))
  return { ...page, rows }
}

/** The number of waiting requests that this member of staff may approve; null without the right to any kind. */
export async function requestsWaiting(db: Db, by: Staff): Promise<number | null> {
  const kinds = kindsFor(by)
  if (kinds.length === 0 || !by.staff.may('wallet.view')) return null
  const query = db
    .selectFrom('money_request')
    .where('state', '=', 'waiting')
    .where('kind', '=', anyOf(kinds))
    .where('asked_by', '<>', by.staff.id)
    .where(sql<boolean>`not ${touchesOwnAccount(by)}`)
    .$if(!(await visibleCurrencies(db)).includes('cny'), (rows) => rows.where('cents', '=', '0'))
  return countUpTo(db, query)
}

function kindsFor(by: Staff): RequestKind[] {
  return requestKinds.filter((kind) => by.staff.may(rightFor[kind]))
}

function touchesOwnAccount(by: Staff): RawBuilder<boolean> {
  return sql<boolean>`(member_id is not distinct from ${by.id} or exists (select from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = reverses and name = 'member' and owner_id = ${by.id}))`
}

function amountsOut({ points, cents }: MovedAmounts): RequestView['amounts'] {
  return [{ currency: 'points', amount: points } as const, { currency: 'cny', amount: cents } as const].flatMap(({ currency, amount }) =>
    amount === 0n ? [] : { currency, amount: serializeAmount(currency, amount) },
  )
}

function amountsOf({ points, cents }: { points: string; cents: string }): MovedAmounts {
  return { points: toMinor(points), cents: toMinor(cents) }
}

function subjectOf({ member_id, topic_id, reverses }: { member_id: string | null; topic_id: string | null; reverses: string | null }) {
  return { ...(member_id && { memberId: member_id }), ...(topic_id && { topicId: topic_id }), ...(reverses && { reverses }) }
}

function moveFor(db: Db, kind: RequestKind): ManualMove<unknown> {
  const move = collect(featuresOf(db), 'moneyRequests').find((one) => one.kind === kind)
  if (!move) throw new Error(`Staff cannot move anything by ${kind}`)
  return move
}

async function lockWaiting(tx: Db, by: Staff, requestId: string) {
  if (kindsFor(by).length === 0) throw NotAllowed()
  const row = await tx.selectFrom('money_request').selectAll().where('id', '=', requestId).forUpdate().executeTakeFirst()
  if (!row) throw Missing()
  if (row.state !== 'waiting') throw AlreadyDecided()
  return row
}
