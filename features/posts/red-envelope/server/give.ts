import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import * as realName from '#real-name/server/real-name.ts'
import {
  AboveDay,
  CashOutside,
  NoCashHere,
  NoPointsHere,
  NoReceiver,
  NoSuchLevel,
  NoSuchRole,
  OneCurrency,
  OwnReceiver,
  PointsOutside,
  TooManyShares,
  type Conditions,
  type envelopeForm,
  type GivenEnvelope,
} from '#red-envelope/contract.ts'
import { cutAtRandom, cutEvenly, type Draw } from '#red-envelope/server/cut.ts'
import { requireFunds } from '#red-envelope/server/funds.ts'
import { sealEnvelope } from '#red-envelope/server/seal.ts'
import * as role from '#role/server/role.ts'
import * as sensitiveWords from '#sensitive-word/server/sensitive-word.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, toMinor, toYuan, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The limits of a red envelope here, and the member's funds. */
export async function form(db: Db, member: Member): Promise<Output<typeof envelopeForm>> {
  const [settings, accounts, caps, leftToday, levels, roles] = await Promise.all([
    setting.all(db),
    wallet.accountsOf(db, member.id),
    realName.spendingCapsOf(db, member.id),
    remainingToday(db, member.id),
    user.levels(db),
    role.publicRoles(db),
  ])
  const limits = (currency: Currency) => {
    const { least, most: ofAll } = limitsOf(settings, currency)
    const most = currency === 'cny' && caps && caps.onceCents < ofAll ? toMinor(caps.onceCents) : ofAll
    const out = (amount: Minor) => serializeAmount(currency, amount)
    return most < least || !settings.allowRedEnvelopes
      ? null
      : { least: out(least), most: out(most), have: out(accounts[currency].balance) }
  }
  return {
    points: limits('points'),
    cash: limits('cny'),
    mostShares: settings.maxEnvelopeShares,
    leftToday,
    hours: settings.envelopeHours,
    levels,
    roles,
  }
}

export function isRequested({ envelopeKind }: GivenEnvelope): boolean {
  return envelopeKind !== undefined
}

/** The place of an envelope: the opening of a thread, a comment in it, a private message, or none. */
type Placement = {
  topicId?: string
  commentId?: string
  message?: { id: string; to: string }
  /** Staff review the post first. */
  isPending?: boolean
}
type NewEnvelope = {
  kind: NonNullable<GivenEnvelope['envelopeKind']>
  currency: Currency
  amount: Minor
  quantity: number
  receiverId: string | null
  conditions: Conditions
}

/** Gives a red envelope. The amount is held immediately, or when its post is published. Returns its id; null if none was requested. */
export async function give(tx: Db, giver: Member, placement: Placement, input: GivenEnvelope): Promise<string | null> {
  if (!isRequested(input)) return null
  const isLetter = input.envelopeGreeting && !placement.topicId && !placement.message
  // A greeting without a post counts as a private message.
  role.refuseBanned(giver, isLetter ? ['money', 'message'] : ['money'])
  const settings = await setting.mustBeOpen(tx, 'allowRedEnvelopes')
  await sensitiveWords.refuseIn(tx, { envelopeGreeting: input.envelopeGreeting ?? '' })
  await sql`/* with the commit */ select from member where id = ${giver.id} for no key update`.execute(tx)
  if ((await remainingToday(tx, giver.id)) === 0) throw AboveDay()
  const { topicId = null, commentId = null, message, isPending = false } = placement
  const resolved = await resolveInput(tx, giver, settings, input, message?.to)
  await requireFunds(tx, giver, resolved)
  const { id } = await tx
    .insertInto('red_envelope')
    .values({
      giver_id: giver.id,
      kind: resolved.kind,
      receiver_id: resolved.receiverId,
      topic_id: topicId,
      comment_id: commentId,
      message_id: message?.id ?? null,
      currency: resolved.currency,
      amount: String(resolved.amount),
      quantity: resolved.quantity,
      greeting: input.envelopeGreeting ?? '',
      cover: input.envelopeCover ?? 'lantern',
      conditions: JSON.stringify(resolved.conditions),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The message itself notifies the receiver.
  if (!isPending) await open(tx, { id, giverId: giver.id, ...resolved, ...(message && { receiverId: null }) })
  return id
}

type WaitingEnvelope = {
  id: string
  giverId: string
  kind: string
  currency: Currency
  amount: Minor
  quantity: number
  receiverId: string | null
}

/**
 * Holds the amount of the giver's and cuts it into shares; the envelope is open from then on. The caller holds the row lock, or inserted
 * the row in this transaction.
 */
export async function open(tx: Db, waiting: WaitingEnvelope, draw?: Draw): Promise<void> {
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
      seal: await sealEnvelope(tx, id),
      opened_at: sql`clock_timestamp()`,
      ends_at: sql`clock_timestamp() + make_interval(hours => ${envelopeHours})`,
    })
    .where('id', '=', id)
    .execute()
  if (receiverId) await notification.notify(tx, receiverId, { kind: 'envelopeGiven', envelopeId: id, name: await nameOf(tx, giverId) })
}

/** The public name of a member. */
export async function nameOf(db: Db, memberId: string): Promise<string> {
  const row = await db.selectFrom('member').select(['nickname', 'account']).where('id', '=', memberId).executeTakeFirstOrThrow()
  return row.nickname ?? row.account
}

async function remainingToday(db: Db, memberId: string): Promise<number> {
  const settings = await setting.all(db)
  const { rows } = await sql<{ given: string; isNew: boolean }>`
    select (select count(*) from red_envelope where giver_id = ${memberId} and state <> 'dropped'
        and site_day(created_at) = site_day(clock_timestamp()) and created_at > clock_timestamp() - interval '2 days') as given,
      joined_at > clock_timestamp() - make_interval(days => ${settings.newMemberDays}) as "isNew"
    from member where id = ${memberId}`.execute(db)
  const [{ given, isNew } = { given: '0', isNew: true }] = rows
  const most = isNew ? Math.min(settings.envelopesPerDay, settings.envelopesPerDayOfNewMembers) : settings.envelopesPerDay
  return Math.max(0, most - Number(given))
}

async function resolveInput(tx: Db, giver: Member, settings: Settings, input: GivenEnvelope, to?: string): Promise<NewEnvelope> {
  const { envelopeKind: kind = 'random', envelopePoints: points, envelopeCash: cash, envelopeQuantity: quantity = 1 } = input
  if ((points === undefined) === (cash === undefined)) throw OneCurrency()
  const [currency, typed] = points !== undefined ? (['points', points] as const) : (['cny', cash ?? toMinor(0)] as const)
  const shares = kind === 'targeted' ? 1 : quantity
  if (shares > settings.maxEnvelopeShares) throw TooManyShares({ most: settings.maxEnvelopeShares })
  const amount = toMinor(kind === 'fixed' ? typed * BigInt(shares) : typed)
  if (amount < BigInt(shares)) throw TooManyShares({ most: Number(amount) })
  const { least, most } = limitsOf(settings, currency)
  if (currency === 'points') {
    if (most === 0n) throw NoPointsHere()
    if (amount < least || amount > most) throw PointsOutside({ least: Number(least), most: Number(most) })
  } else {
    if (most === 0n) throw NoCashHere()
    if (amount < least || amount > most) throw CashOutside({ least: toYuan(least), most: toYuan(most) })
  }
  return {
    kind,
    currency,
    amount,
    quantity: shares,
    receiverId: kind === 'targeted' ? (to ?? (await receiverOf(tx, giver, input.envelopeReceiver))) : null,
    conditions: await conditionsOf(tx, kind, input),
  }
}

/** The receiver of a targeted envelope: an active member, without a block in either direction. */
async function receiverOf(tx: Db, giver: Member, name: string | undefined): Promise<string> {
  const receiverId = name ? await user.memberIdByName(tx, name) : null
  if (receiverId === giver.id) throw OwnReceiver()
  const { rows } = await sql<{ id: string }>`
    select id from member where id = ${receiverId} and deactivated_at is null and not exists (
      select from member_block where how = 'blocked'
        and ((member_id = member.id and other_id = ${giver.id}) or (member_id = ${giver.id} and other_id = member.id)))`.execute(tx)
  const [found] = rows
  if (!found) throw NoReceiver()
  return found.id
}

async function conditionsOf(tx: Db, kind: NewEnvelope['kind'], input: GivenEnvelope): Promise<Conditions> {
  if (kind === 'targeted') return {}
  const { envelopeCommented: commented, envelopeLevel: level, envelopeRole: roleId, envelopeFollowers: follows, envelopeDays: days } = input
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
  if (currency === 'points') return { least: toMinor(settings.minEnvelopePoints), most: toMinor(settings.maxEnvelopePoints) }
  return { least: toMinor(settings.minEnvelopeCents), most: toMinor(settings.allowCash ? settings.maxEnvelopeCents : 0) }
}
