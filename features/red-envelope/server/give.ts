import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as notice from '#notice/server/notice.ts'
import * as realName from '#real-name/server/real-name.ts'
import {
  AboveDay,
  AboveMinorLimit,
  CashOutside,
  CashShort,
  NoCashHere,
  NoPointsHere,
  NoReceiver,
  NoSuchLevel,
  NoSuchRole,
  OneCurrency,
  OwnReceiver,
  PointsOutside,
  PointsShort,
  TooManyShares,
  type Conditions,
  type envelopeForm,
  type GivenEnvelope,
} from '#red-envelope/contract.ts'
import { cutAtRandom, cutEvenly, type Draw } from '#red-envelope/server/cut.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as sensitiveWords from '#sensitive-word/server/sensitive-word.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { amountOut, minorOf, yuanIn, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The limits of a red envelope here, and the member's funds. */
export async function form(db: Db, member: Member): Promise<Output<typeof envelopeForm>> {
  const [settings, accounts, caps, leftToday, levels, roles] = await Promise.all([
    setting.all(db),
    wallet.accountsOf(db, member.id),
    realName.spendingCapsOf(db, member.id),
    leftOfDay(db, member.id),
    user.levels(db),
    role.publicRoles(db),
  ])
  const limits = (currency: Currency) => {
    const { least, most: ofAll } = limitsOf(settings, currency)
    const most = currency === 'cny' && caps && caps.onceCents < ofAll ? minorOf(caps.onceCents) : ofAll
    const out = (amount: Minor) => amountOut(currency, amount)
    return most < least || !settings.allowRedEnvelopes
      ? null
      : { least: out(least), most: out(most), have: out(accounts[currency].balance) }
  }
  return {
    points: limits('points'),
    cash: limits('cny'),
    mostShares: settings.envelopeMostShares,
    leftToday,
    hours: settings.envelopeHours,
    levels,
    roles,
  }
}

export function isGiven({ envelopeKind }: GivenEnvelope): boolean {
  return envelopeKind !== undefined
}

/** The place of an envelope: the opening of a thread, a comment in it, a private message, or none. */
type Beside = {
  topicId?: string
  commentId?: string
  message?: { id: string; to: string }
  /** Staff review the post first. */
  isPending?: boolean
}
type EnvelopeInput = {
  kind: NonNullable<GivenEnvelope['envelopeKind']>
  currency: Currency
  amount: Minor
  quantity: number
  receiverId: string | null
  conditions: Conditions
}

/** Gives a red envelope. The amount is held immediately, or when its post is published. Returns its id; null if none was requested. */
export async function give(tx: Db, giver: Member, beside: Beside, given: GivenEnvelope): Promise<string | null> {
  if (!isGiven(given)) return null
  const isLetter = given.envelopeGreeting && !beside.topicId && !beside.message
  // A greeting without a post counts as a private message.
  role.refuseBanned(giver, isLetter ? ['money', 'message'] : ['money'])
  const settings = await setting.mustBeOpen(tx, 'allowRedEnvelopes')
  await sensitiveWords.refuseIn(tx, { envelopeGreeting: given.envelopeGreeting ?? '' })
  await sql`/* with the commit */ select from member where id = ${giver.id} for no key update`.execute(tx)
  if ((await leftOfDay(tx, giver.id)) === 0) throw AboveDay()
  const { topicId = null, commentId = null, message, isPending = false } = beside
  const wanted = await wantedBy(tx, giver, settings, given, message?.to)
  await mustHave(tx, giver, wanted)
  const { id } = await tx
    .insertInto('red_envelope')
    .values({
      giver_id: giver.id,
      kind: wanted.kind,
      receiver_id: wanted.receiverId,
      topic_id: topicId,
      comment_id: commentId,
      message_id: message?.id ?? null,
      currency: wanted.currency,
      amount: String(wanted.amount),
      quantity: wanted.quantity,
      greeting: given.envelopeGreeting ?? '',
      cover: given.envelopeCover ?? 'lantern',
      conditions: JSON.stringify(wanted.conditions),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The message itself notifies the receiver.
  if (!isPending) await open(tx, { id, giverId: giver.id, ...wanted, ...(message && { receiverId: null }) })
  return id
}

type Waiting = { id: string; giverId: string; kind: string; currency: Currency; amount: Minor; quantity: number; receiverId: string | null }

/**
 * Holds the amount of the giver's and cuts it into shares; the envelope is open from then on. The caller holds the row lock, or inserted
 * the row in this transaction.
 */
export async function open(tx: Db, waiting: Waiting, draw?: Draw): Promise<void> {
  const { id, giverId, kind, currency, amount, quantity, receiverId } = waiting
  const { envelopeHours } = await setting.current(tx, 'envelopeHours')
  const shares = kind === 'fixed' ? cutEvenly(Number(amount), quantity) : cutAtRandom(Number(amount), quantity, draw)
  await sql`
    insert into red_envelope_share (envelope_id, place, amount)
    select ${id}, place, amount from unnest(${shares.map(String)}::bigint[]) with ordinality as its (amount, place)`.execute(tx)
  const by = { kind: 'member', id: giverId } as const
  const holdId = await wallet.hold(tx, { kind: 'redEnvelope', source: `redEnvelope:${id}`, by, from: giverId, currency, amount })
  await tx
    .updateTable('red_envelope')
    .set({
      state: 'open',
      hold_id: holdId,
      opened_at: sql`clock_timestamp()`,
      ends_at: sql`clock_timestamp() + make_interval(hours => ${envelopeHours})`,
    })
    .where('id', '=', id)
    .execute()
  if (receiverId) await notice.notify(tx, receiverId, { kind: 'envelopeGiven', envelopeId: id, name: await nameOf(tx, giverId) })
}

/** The public name of a member. */
export async function nameOf(db: Db, memberId: string): Promise<string> {
  const row = await db.selectFrom('member').select(['nickname', 'account']).where('id', '=', memberId).executeTakeFirstOrThrow()
  return row.nickname ?? row.account
}

async function leftOfDay(db: Db, memberId: string): Promise<number> {
  const settings = await setting.all(db)
  const { rows } = await sql<{ given: string; isNew: boolean }>`
    select (select count(*) from red_envelope where giver_id = ${memberId} and state <> 'dropped'
        and site_day(created_at) = site_day(clock_timestamp()) and created_at > clock_timestamp() - interval '2 days') as given,
      joined_at > clock_timestamp() - make_interval(days => ${settings.newMemberDays}) as "isNew"
    from member where id = ${memberId}`.execute(db)
  const [{ given, isNew } = { given: '0', isNew: true }] = rows
  const most = isNew ? Math.min(settings.envelopesADay, settings.envelopesADayOfNewMembers) : settings.envelopesADay
  return Math.max(0, most - Number(given))
}

async function wantedBy(tx: Db, giver: Member, settings: Settings, given: GivenEnvelope, to?: string): Promise<EnvelopeInput> {
  const { envelopeKind: kind = 'random', envelopePoints: points, envelopeCash: cash, envelopeQuantity: quantity = 1 } = given
  if ((points === undefined) === (cash === undefined)) throw OneCurrency()
  const [currency, typed] = points !== undefined ? (['points', points] as const) : (['cny', cash ?? minorOf(0)] as const)
  const shares = kind === 'targeted' ? 1 : quantity
  if (shares > settings.envelopeMostShares) throw TooManyShares({ most: settings.envelopeMostShares })
  const amount = minorOf(kind === 'fixed' ? typed * BigInt(shares) : typed)
  if (amount < BigInt(shares)) throw TooManyShares({ most: Number(amount) })
  const { least, most } = limitsOf(settings, currency)
  if (currency === 'points') {
    if (most === 0n) throw NoPointsHere()
    if (amount < least || amount > most) throw PointsOutside({ least: Number(least), most: Number(most) })
  } else {
    if (most === 0n) throw NoCashHere()
    if (amount < least || amount > most) throw CashOutside({ least: yuanIn(least), most: yuanIn(most) })
  }
  return {
    kind,
    currency,
    amount,
    quantity: shares,
    receiverId: kind === 'targeted' ? (to ?? (await receiverOf(tx, giver, given.envelopeReceiver))) : null,
    conditions: await conditionsOf(tx, kind, given),
  }
}

/** The receiver of a targeted envelope: an active member, without a block in either direction. */
async function receiverOf(tx: Db, giver: Member, name: string | undefined): Promise<string> {
  const receiverId = name ? await user.memberIdByName(tx, name) : null
  if (receiverId === giver.id) throw OwnReceiver()
  const { rows } = await sql<{ id: string }>`
    select id from member where id = ${receiverId} and deactivated_at is null and not exists (
      select from blocking where how = 'blocked'
        and ((member_id = member.id and other_id = ${giver.id}) or (member_id = ${giver.id} and other_id = member.id)))`.execute(tx)
  const [found] = rows
  if (!found) throw NoReceiver()
  return found.id
}

async function conditionsOf(tx: Db, kind: EnvelopeInput['kind'], given: GivenEnvelope): Promise<Conditions> {
  if (kind === 'targeted') return {}
  const { envelopeCommented: commented, envelopeLevel: level, envelopeRole: roleId, envelopeFollowers: follows, envelopeDays: days } = given
  if (level !== undefined && !(await user.levels(tx)).some(({ needs }) => needs === level)) throw NoSuchLevel()
  if (roleId !== undefined && !(await role.publicRoles(tx)).some(({ id }) => id === roleId)) throw NoSuchRole()
  return {
    ...(commented && { commented }),
    ...(level !== undefined && { level }),
    ...(roleId !== undefined && { roleId }),
    ...(follows && { follows }),
    ...(days && { days }),
  }
}

function limitsOf(settings: Settings, currency: Currency): { least: Minor; most: Minor } {
  if (currency === 'points') return { least: minorOf(settings.envelopeLeastPoints), most: minorOf(settings.envelopeMostPoints) }
  return { least: minorOf(settings.envelopeLeastCents), most: minorOf(settings.allowCash ? settings.envelopeMostCents : 0) }
}

/** Refuses, at its field, an amount that the giver lacks, debts included, or one above a minor's cap. */
async function mustHave(tx: Db, giver: Member, { currency, amount }: EnvelopeInput): Promise<void> {
  await wallet.lockAccounts(tx, giver.id)
  const { balance, owed } = (await wallet.accountsOf(tx, giver.id))[currency]
  const missing = amount + owed - balance
  if (currency === 'points') {
    if (missing > 0n) throw PointsShort({ missing: Number(missing) })
    return
  }
  const cap = await wallet.capOn(tx, giver.id, { once: amount })
  if (cap) throw AboveMinorLimit(cap)
  if (missing > 0n) throw CashShort({ missing: yuanIn(missing) })
  await secondFactor.requireRecentProof(tx, giver)
}
