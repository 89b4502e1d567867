import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import type { EnvelopeKind, envelopeStates, ShareView } from '#red-envelope/contract.ts'
import type {
  distribution,
  envelopeShares,
  envelopesOfThreads,
  givenEnvelopes,
  GivenView,
  EnvelopePlace,
  receivedEnvelopes,
} from '#red-envelope/list-contract.ts'
import { requireVisible } from '#red-envelope/server/claim.ts'
import { visiblePlace } from '#red-envelope/server/place.ts'
import { show } from '#red-envelope/server/view.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, toMinor, type Currency } from '#wallet/contract.ts'

const perPage = 20

/** The largest share of an envelope cut at random, once all are taken. */
export const isBestShare = sql<boolean>`(given.kind = 'random' and place is not distinct from best_place)`

export async function given(db: Db, member: Member, { page }: ParsedInput<typeof givenEnvelopes>): Promise<Output<typeof givenEnvelopes>> {
  const { rows: sums } = await sql<{ currency: Currency; count: number; given: string; returned: string }>`
    select currency, count(*)::int as count, sum(amount) filter (where hold_id is not null)::text as given, sum(returned)::text as returned
    from red_envelope where giver_id in (${user.withMergedIds(member.id)}) group by currency`.execute(db)
  const pages = pagePosition(
    sums.reduce((sum, { count }) => sum + count, 0),
    page,
    perPage,
  )
  const condition = sql`giver_id in (${user.withMergedIds(member.id)}) order by given.id desc limit ${perPage} offset ${(pages.page - 1) * perPage}`
  const envelopes = await envelopesWhere(db, member, condition)
  return { envelopes, given: sumsOf(sums, 'given'), returned: sumsOf(sums, 'returned'), ...pages }
}

export async function openersOfOwn(
  db: Db,
  member: Member,
  { envelopeId, page }: ParsedInput<typeof distribution>,
): Promise<Output<typeof distribution>> {
  const [envelope] = await envelopesWhere(db, member, sql`given.id = ${envelopeId} and ledger.is_same_member(giver_id, ${member.id})`)
  if (!envelope) throw Missing()
  return { envelope, ...(await sharesOf(db, envelopeId, page)) }
}

/** The openers of a thread's envelope, visible to openers, and to everybody once it is over. */
export async function shares(
  db: Db,
  viewer: Viewer,
  { envelopeId, page }: ParsedInput<typeof envelopeShares>,
): Promise<Output<typeof envelopeShares>> {
  const { mine, isOwn, state } = await requireVisible(db, viewer, envelopeId)
  if (mine === null && !isOwn && state !== 'taken' && state !== 'returned') throw Missing()
  return sharesOf(db, envelopeId, page)
}

/** The envelope of a thread; null for viewers who may not see the thread. */
export async function ofThread(db: Db, viewer: Viewer, topicId: string): Promise<Output<typeof envelopesOfThreads>> {
  const row = await db
    .selectFrom('red_envelope')
    .innerJoin('topic', 'topic.id', 'topic_id')
    .select('red_envelope.id')
    .where('topic.id', '=', topicId)
    .where('topic.status', '=', 'published')
    .where(tag.seenBy(viewer, 'topic.tag_id'))
    .where('comment_id', 'is', null)
    .where('red_envelope.state', 'not in', ['waiting', 'dropped'])
    .executeTakeFirst()
  return { envelope: row ? await show(db, viewer, row.id) : null }
}

export async function received(
  db: Db,
  member: Member,
  { page }: ParsedInput<typeof receivedEnvelopes>,
): Promise<Output<typeof receivedEnvelopes>> {
  const { rows: sums } = await sql<{ currency: Currency; count: number; received: string }>`
    select currency, count(*)::int as count, sum(share.amount)::text as received
    from red_envelope_share as share join red_envelope as given on given.id = envelope_id
    where member_id in (${user.withMergedIds(member.id)}) group by currency`.execute(db)
  const pages = pagePosition(
    sums.reduce((sum, { count }) => sum + count, 0),
    page,
    perPage,
  )
  const { rows } = await sql<ReceivedRow>`
    select envelope_id::text as "envelopeId", ledger.current_member(giver_id)::text as "giverId", given.kind, currency, share.amount::text, claimed_at as at,
      ${isBestShare} as "isBest", ${visiblePlace(member)}
    from red_envelope_share as share join red_envelope as given on given.id = envelope_id left join topic on topic.id = topic_id
    where member_id in (${user.withMergedIds(member.id)}) order by claimed_at desc limit ${perPage} offset ${(pages.page - 1) * perPage}`.execute(
    db,
  )
  const people = await user.authors(
    db,
    rows.map(({ giverId }) => giverId),
  )
  const views = rows.map(({ giverId, amount, at, ...row }) => ({
    ...row,
    giver: people.get(giverId) ?? null,
    amount: serializeAmount(row.currency, toMinor(amount)),
    at: claimTime(at),
  }))
  return { shares: views, received: sumsOf(sums, 'received'), ...pages }
}

type ReceivedRow = EnvelopePlace & {
  envelopeId: string
  giverId: string
  kind: EnvelopeKind
  currency: Currency
  amount: string
  at: Date | null
  isBest: boolean
}
type Row = EnvelopePlace & {
  id: string
  kind: EnvelopeKind
  currency: Currency
  amount: string
  quantity: number
  taken: number
  takenAmount: string
  returned: string
  state: (typeof envelopeStates)[number]
  at: Date
  endsAt: Date | null
  receiverId: string | null
}

// A share is counted when it is paid, a moment after its claim.
async function envelopesWhere(db: Db, member: Member, condition: RawBuilder<unknown>): Promise<GivenView[]> {
  const { rows } = await sql<Row>`
    select given.id::text, given.kind, currency, given.amount::text, quantity, paid as taken,
      paid_amount::text as "takenAmount", returned::text, state, given.created_at as at, ends_at as "endsAt",
      ledger.current_member(receiver_id)::text as "receiverId", ${visiblePlace(member)}
    from red_envelope as given left join topic on topic.id = topic_id
    where ${condition}`.execute(db)
  const people = await user.authors(
    db,
    rows.flatMap(({ receiverId }) => receiverId ?? []),
  )
  return rows.map(({ receiverId, at, endsAt, ...row }) => ({
    ...row,
    amount: serializeAmount(row.currency, toMinor(row.amount)),
    takenAmount: serializeAmount(row.currency, toMinor(row.takenAmount)),
    returned: serializeAmount(row.currency, toMinor(row.returned)),
    at: at.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    receiver: receiverId === null ? null : (people.get(receiverId) ?? null),
  }))
}

async function sharesOf(db: Db, envelopeId: string, page: number): Promise<Output<typeof envelopeShares>> {
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from red_envelope_share where envelope_id = ${envelopeId} and member_id is not null`.execute(db)
  const pages = pagePosition(counts[0]?.total ?? 0, page, perPage)
  const { rows } = await sql<{ memberId: string; amount: string; at: Date | null; currency: Currency; isBest: boolean }>`
    select ledger.current_member(member_id)::text as "memberId", share.amount::text, claimed_at as at, currency, ${isBestShare} as "isBest"
    from red_envelope_share as share join red_envelope as given on given.id = envelope_id
    where envelope_id = ${envelopeId} and member_id is not null
    order by claimed_at, place limit ${perPage} offset ${(pages.page - 1) * perPage}`.execute(db)
  const people = await user.authors(
    db,
    rows.map(({ memberId }) => memberId),
  )
  const views: ShareView[] = rows.map(({ memberId, amount, at, currency, isBest }) => ({
    member: people.get(memberId) ?? null,
    amount: serializeAmount(currency, toMinor(amount)),
    at: claimTime(at),
    isBest,
  }))
  return { shares: views, ...pages }
}

/** The time of a claim; a share with a member always has one. */
export function claimTime(at: Date | null): string {
  if (!at) throw new Error('A share has a member and no time')
  return at.toISOString()
}

function sumsOf<Key extends string>(rows: readonly ({ currency: Currency } & Record<Key, string | null>)[], key: Key) {
  return rows.flatMap((row) => {
    const amount = toMinor(row[key] ?? '0')
    return amount > 0n ? { currency: row.currency, amount: serializeAmount(row.currency, amount) } : []
  })
}
