import type { Output, ParsedInput } from '#base/contract.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import {
  CashAboveMinorLimit,
  CashOutside,
  CashOwed,
  CashShort,
  DaysOutside,
  NoCashHere,
  NoPointsHere,
  NotOpen,
  OnlyAsker,
  PointsOutside,
  PointsOwed,
  PointsShort,
  type bountyForm,
  type LimitsView,
  type raiseBounty,
} from '#bounty/contract.ts'
import { shortfallOf, fund, type Amounts } from '#bounty/server/escrow.ts'
import { invalidateQuestion, lockQuestion, lockBounty } from '#bounty/server/lock.ts'
import { inDays } from '#bounty/server/presence.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, toMinor, toYuan, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The submitted fields of a bounty. */
export type OfferInput = Pick<ParsedInput<typeof raiseBounty>, 'bountyPoints' | 'bountyCash' | 'bountyDays'>

const zero = toMinor(0)

/** The limits of an offer here, and the member's funds. */
export async function form(db: Db, member: Member): Promise<Output<typeof bountyForm>> {
  const [settings, accounts, caps] = await Promise.all([
    setting.all(db),
    wallet.accountsOf(db, member.id),
    realName.spendingCapsOf(db, member.id),
  ])
  const limits = (currency: Currency): LimitsView | null => {
    const { least, most: ofAll } = limitsOf(settings, currency)
    const most = currency === 'cny' && caps && caps.onceCents < ofAll ? toMinor(caps.onceCents) : ofAll
    const out = (amount: Minor) => serializeAmount(currency, amount)
    return most === 0n || most < least ? null : { least: out(least), most: out(most), have: out(accounts[currency].balance) }
  }
  const { bountyDays, minBountyDays, maxBountyDays, bountyShareCash } = settings
  const days = {
    standard: Math.min(Math.max(bountyDays, minBountyDays), maxBountyDays),
    least: minBountyDays,
    most: maxBountyDays,
  }
  return { points: limits('points'), cash: limits('cny'), days, share: bountyShareCash }
}

export function isOffered({ bountyPoints, bountyCash }: OfferInput): boolean {
  return bountyPoints !== undefined || bountyCash !== undefined
}

type OfferedQuestion = { id: string; isPending: boolean; /** A seed has no session that could prove its identity. */ isSeed: boolean }

/** Offers a bounty for a question just written. The amounts are held immediately, or when staff approve the question. */
export async function offer(tx: Db, asker: Member, question: OfferedQuestion, typed: OfferInput): Promise<void> {
  if (!isOffered(typed)) return
  role.refuseBanned(asker, ['money'])
  const settings = await setting.stored(tx)
  const amounts = resolveAmounts(settings, typed, { points: zero, cents: zero })
  const { minBountyDays: least, maxBountyDays: most, bountyDays } = settings
  const days = typed.bountyDays ?? Math.min(Math.max(bountyDays, least), most)
  if (days < least || days > most) throw DaysOutside({ least, most })
  await requireFunds(tx, asker, amounts, amounts.cents)
  if (amounts.cents > 0n && !question.isSeed) await secondFactor.requireRecentProof(tx, asker)
  await tx
    .insertInto('bounty')
    .values({ topic_id: question.id, points: String(amounts.points), cents: String(amounts.cents), days })
    .execute()
  const bounty = await lockBounty(tx, question.id)
  if (bounty && !question.isPending) await fund(tx, bounty, asker.id, { ...amounts, endsAt: inDays(days) }, byMember(asker))
}

/** The asker offers more, or extends the deadline. */
export async function raise(tx: Db, asker: Member, { questionId, ...typed }: ParsedInput<typeof raiseBounty>): Promise<void> {
  const question = await lockQuestion(tx, questionId)
  if (!question || question.status !== 'published' || !asker.may('tag.view', question.tagId)) throw Missing()
  if (question.authorId !== asker.id) throw OnlyAsker()
  const bounty = await lockBounty(tx, questionId)
  if (bounty?.state !== 'open' || !bounty.endsAt || bounty.isOver) throw NotOpen()
  const settings = await setting.stored(tx)
  const amounts = resolveAmounts(settings, typed, bounty)
  const endsAt = inDays(typed.bountyDays ?? 0, bounty.endsAt)
  const most = settings.maxBountyDays
  if (typed.bountyDays && endsAt > inDays(most)) throw DaysOutside({ least: 0, most: Math.max(0, daysLeft(bounty.endsAt, most)) })
  await requireFunds(
    tx,
    asker,
    { points: toMinor(amounts.points - bounty.points), cents: toMinor(amounts.cents - bounty.cents) },
    amounts.cents,
  )
  if (amounts.cents > bounty.cents) await secondFactor.requireRecentProof(tx, asker)
  await fund(tx, bounty, asker.id, { ...amounts, endsAt }, byMember(asker))
  invalidateQuestion(tx, question)
}

// The whole days by which the deadline may still move.
function daysLeft(endsAt: Date, most: number): number {
  return Math.floor((inDays(most).getTime() - endsAt.getTime()) / 86_400_000)
}

/** An unchanged amount may lie outside the current limits; a changed one must exceed the previous one. */
function resolveAmounts(settings: Settings, { bountyPoints, bountyCash }: OfferInput, before: Amounts): Amounts {
  const [points, cents] = [bountyPoints ?? before.points, bountyCash ?? before.cents]
  if (points !== before.points) {
    const { least, most } = limitsOf(settings, 'points')
    if (most === 0n) throw NoPointsHere()
    if (points < larger(least, before.points) || points > most)
      throw PointsOutside({ least: Number(larger(least, before.points)), most: Number(most) })
  }
  if (cents !== before.cents) {
    const { least, most } = limitsOf(settings, 'cny')
    if (most === 0n) throw NoCashHere()
    if (cents < larger(least, before.cents) || cents > most)
      throw CashOutside({ least: toYuan(larger(least, before.cents)), most: toYuan(most) })
  }
  return { points, cents }
}

function limitsOf(settings: Settings, currency: Currency): { least: Minor; most: Minor } {
  if (currency === 'points') return { least: toMinor(settings.minBountyPoints), most: toMinor(settings.maxBountyPoints) }
  return { least: toMinor(settings.minBountyCents), most: toMinor(settings.allowCash ? settings.maxBountyCents : 0) }
}

function larger(one: Minor, other: Minor): Minor {
  return one > other ? one : other
}

/** Refuses, at its field, an amount the asker lacks or owes, or one above a minor's limit. `inAll` includes what is already held. */
async function requireFunds(tx: Db, asker: Member, amounts: Amounts, total: Minor): Promise<void> {
  const cap = await wallet.exceededCap(tx, asker.id, { once: total, leaves: amounts.cents })
  if (cap) throw CashAboveMinorLimit(cap)
  const { points, cents, owed } = await shortfallOf(tx, asker.id, amounts)
  if (points > 0n) throw owed.points > 0n ? PointsOwed({ owed: Number(owed.points) }) : PointsShort({ missing: Number(points) })
  if (cents > 0n) throw owed.cents > 0n ? CashOwed({ owed: toYuan(owed.cents) }) : CashShort({ missing: toYuan(cents) })
}

function byMember(asker: Member) {
  return { by: { kind: 'member', id: asker.id } } as const
}
