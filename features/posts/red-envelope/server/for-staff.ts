import { sql, type RawBuilder } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { Conditions, EnvelopeEnded, type EnvelopeKind, type envelopeStates } from '#red-envelope/contract.ts'
import type {
  endReasons,
  staffEnvelope,
  staffEnvelopes,
  staffEnvelopeTotals,
  staffShares,
  stopEnvelope,
} from '#red-envelope/staff-contract.ts'
import { levelName } from '#red-envelope/server/claim.ts'
import { endLocked } from '#red-envelope/server/end.ts'
import { isBestShare, claimTime } from '#red-envelope/server/lists.ts'
import { lock } from '#red-envelope/server/pay.ts'
import { signsOf } from '#red-envelope/server/signs.ts'
import { roleNamed } from '#red-envelope/server/view.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, BooksFrozen, toMinor, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const perPage = 50
const id = sql`given.id`
const keys = { at: { by: sql`given.created_at`, as: 'timestamptz' } } as const

export async function list(db: Db, input: ParsedInput<typeof staffEnvelopes>): Promise<Answer<typeof staffEnvelopes>> {
  const source = sql<{
    id: string
    created_at: Date
  }>`(select given.id, given.created_at from red_envelope as given where ${await filterCondition(db, input)})`
  const page = await paged(db, db.selectFrom(source.as('given')).select('given.id'), { ...input, keys, id })
  const ids = page.rows.map((row) => row.id)
  const views = await viewsWhere(db, sql`given.id = ${anyOf(ids)}`)
  return { ...page, rows: views.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) }
}

export async function totals(db: Db, input: ParsedInput<typeof staffEnvelopeTotals>): Promise<Output<typeof staffEnvelopeTotals>> {
  const { rows } = await sql<{ currency: Currency; count: string; given: string; opened: string; returned: string }>`
    select currency, count(*) as count, coalesce(sum(amount) filter (where hold_id is not null), 0) as given,
      coalesce(sum(case when state in ('taken', 'returned') then amount - returned else paid_amount end) filter (where hold_id is not null), 0) as opened,
      sum(returned) as returned
    from red_envelope as given where ${await filterCondition(db, input)} group by currency`.execute(db)
  const sums = (key: 'given' | 'opened' | 'returned') => {
    const of = (currency: Currency) => serializeAmount(currency, toMinor(rows.find((row) => row.currency === currency)?.[key] ?? '0'))
    return { points: of('points'), cash: of('cny') }
  }
  const count = rows.reduce((sum, row) => sum + Number(row.count), 0)
  return { count, given: sums('given'), opened: sums('opened'), returned: sums('returned') }
}

export async function show(db: Db, envelopeId: string): Promise<Answer<typeof staffEnvelope>> {
  const [view] = await viewsWhere(db, sql`given.id = ${envelopeId}`)
  const { rows } = await sql<Detail>`
    select greeting, conditions, ${roleNamed} as role, (select opened_by::text from ledger.hold where hold.id = hold_id) as "transactionId",
      (select id::text from ledger.transaction where kind = 'redEnvelopeReturned' and source = 'redEnvelope:' || given.id) as "returnId"
    from red_envelope as given where id = ${envelopeId}`.execute(db)
  const [details] = rows
  if (!view || !details) throw Missing()
  const { conditions } = details
  const level = await levelName(db, conditions)
  return { ...view, ...details, conditions: Conditions.parse(conditions), level, signs: await signsOf(db, envelopeId) }
}

export async function shares(db: Db, { envelopeId, page }: ParsedInput<typeof staffShares>): Promise<Answer<typeof staffShares>> {
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from red_envelope_share where envelope_id = ${envelopeId} and member_id is not null`.execute(db)
  const pages = pagePosition(counts[0]?.total ?? 0, page, perPage)
  const { rows } = await sql<{
    id: string
    name: string
    amount: string
    currency: Currency
    at: Date | null
    isPaid: boolean
    isBest: boolean
  }>`
    select member_id::text as id, coalesce(nickname, account) as name, share.amount::text, currency, claimed_at as at,
      transaction_id is not null as "isPaid", ${isBestShare} as "isBest"
    from red_envelope_share as share join member on member.id = member_id join red_envelope as given on given.id = envelope_id
    where envelope_id = ${envelopeId} order by claimed_at, place limit ${perPage} offset ${(pages.page - 1) * perPage}`.execute(db)
  const views = rows.map(({ id: memberId, name, amount, currency, at, isPaid, isBest }) => ({
    member: { id: memberId, name },
    amount: serializeAmount(currency, toMinor(amount)),
    at: claimTime(at),
    isPaid,
    isBest,
  }))
  return { shares: views, ...pages }
}

export async function stop(tx: Db, by: Staff, client: ClientInfo, { envelopeId, reason }: ParsedInput<typeof stopEnvelope>): Promise<void> {
  const envelope = await lock(tx, envelopeId, 'waits')
  if (!envelope) throw Missing()
  if (envelope.state !== 'open' && envelope.state !== 'waiting') throw EnvelopeEnded()
  if (await wallet.isFrozen(tx)) throw BooksFrozen()
  await endLocked(tx, envelope, 'stopped')
  await audit.note(tx, by.staff, client, { action: 'redEnvelope.stop', about: `redEnvelope ${envelopeId}`, reason })
}

type Detail = Pick<Output<typeof staffEnvelope>, 'greeting' | 'role' | 'transactionId' | 'returnId'> & { conditions: unknown }
type Filter = ParsedInput<typeof staffEnvelopeTotals>

async function filterCondition(db: Db, { giver, opener, topic, kind, state, currency, from, until }: Filter): Promise<RawBuilder<unknown>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  return sql.join(
    [
      sql`true`,
      ...(giver ? [sql`giver_id = ${giver}`] : []),
      ...(opener ? [sql`given.id in (select envelope_id from red_envelope_share where member_id = ${opener})`] : []),
      ...(topic ? [sql`topic_id = ${topic}`] : []),
      ...(kind ? [sql`given.kind = ${kind}`] : []),
      ...(state ? [sql`given.state = ${state}`] : []),
      ...(currency ? [sql`currency = ${currency}::ledger.currency`] : []),
      ...(from ? [sql`given.created_at >= ${startOfDay(from, timeZone)}`] : []),
      ...(until ? [sql`given.created_at < ${startOfDay(addDays(until, 1), timeZone)}`] : []),
    ],
    sql` and `,
  )
}

type Row = {
  id: string
  giverId: string
  giverName: string
  receiverId: string | null
  receiverName: string | null
  kind: EnvelopeKind
  topicId: string | null
  commentId: string | null
  isInMessage: boolean
  title: string | null
  currency: Currency
  amount: string
  quantity: number
  taken: number
  takenAmount: string
  returned: string
  state: (typeof envelopeStates)[number]
  endReason: (typeof endReasons)[number] | null
  at: Date
  endsAt: Date | null
  endedAt: Date | null
}

async function viewsWhere(db: Db, condition: RawBuilder<unknown>): Promise<Answer<typeof staffEnvelopes>['rows']> {
  const { rows } = await sql<Row>`
    select given.id::text, giver_id::text as "giverId", coalesce(giver.nickname, giver.account) as "giverName", receiver_id::text as "receiverId",
      coalesce(receiver.nickname, receiver.account) as "receiverName", given.kind, topic_id::text as "topicId", comment_id::text as "commentId",
      message_id is not null as "isInMessage", title, currency, given.amount::text, quantity, paid as taken,
      paid_amount::text as "takenAmount", returned::text, given.state, end_reason as "endReason",
      given.created_at as at, ends_at as "endsAt", ended_at as "endedAt"
    from red_envelope as given join member as giver on giver.id = giver_id left join member as receiver on receiver.id = receiver_id
      left join topic on topic.id = topic_id
    where ${condition}`.execute(db)
  return rows.map(({ giverId, giverName, receiverId, receiverName, topicId, commentId, title, ...row }) => {
    const out = (amount: string) => serializeAmount(row.currency, toMinor(amount))
    return {
      ...row,
      giver: { id: giverId, name: giverName },
      receiver: receiverId === null ? null : { id: receiverId, name: receiverName ?? receiverId },
      topic: topicId === null ? null : { id: topicId, title: title ?? '', commentId },
      amount: out(row.amount),
      takenAmount: out(row.takenAmount),
      returned: out(row.returned),
    }
  })
}
