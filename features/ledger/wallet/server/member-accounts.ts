import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { sql } from 'kysely'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, rewardRules, type Currency } from '#wallet/contract.ts'
import { perPage, type balance, type EntryView, type point, type pointRules, type statement, type wallet } from '#wallet/log-contract.ts'
import { accountOf, accountsOf, entriesOf, type Account, type Entry, type EntryQuery } from '#wallet/server/log.ts'
import { termOf } from '#wallet/server/reward.ts'
import { heldOf, envelopeAmountsOf } from '#wallet/server/held.ts'
import { paymentNumbersOf, rulesOf, subjectsOf } from '#wallet/server/subject.ts'
import { rewardsToday } from '#wallet/server/today.ts'
import { unpaidCentsOf, unspendable } from '#wallet/server/unspendable.ts'

export async function rules(db: Db): Promise<Output<typeof pointRules>> {
  const [settings, levels] = await Promise.all([
    setting.all(db),
    db.selectFrom('level').select(['name_zh', 'name_en', 'needs_points']).orderBy('needs_points').execute(),
  ])
  return {
    rules: rewardRules.map((rule) => ({
      rule,
      ...termOf(settings, rule),
      mostFromOne: rule === 'liked' ? settings.likedPointsPerDayFromOneMember || null : null,
    })),
    most: settings.pointsPerDay || null,
    levels: levels.map(({ name_zh, name_en, needs_points }) => ({ name: { zh: name_zh, en: name_en }, needs: Number(needs_points) })),
  }
}

export async function showPoint(db: Db, member: Member, input: ParsedInput<typeof point>): Promise<Output<typeof point>> {
  const [accounts, held, inEnvelopes, level, { rules: rewardRulesToday, ...today }, log] = await Promise.all([
    accountsOf(db, member.id),
    heldOf(db, member, 'points'),
    envelopeAmountsOf(db, member.id),
    user.levelOf(db, member.id),
    rewardsToday(db, member.id),
    logOf(db, member, member.id, 'points', await queryOf(db, input)),
  ])
  return {
    account: accountView('points', accounts.points),
    held,
    inEnvelopes: inEnvelopes.points,
    level,
    today: rewardRules.map((rule) => ({
      rule,
      points: rewardRulesToday[rule].points,
      most: rewardRulesToday[rule].most,
      earned: rewardRulesToday[rule].today,
    })),
    todayInAll: { earned: today.today, most: today.most },
    log,
  }
}

export async function showBalance(db: Db, member: Member, input: ParsedInput<typeof balance>): Promise<Output<typeof balance>> {
  const { timeZone } = await requireCash(db)
  const [accounts, unpaid, held, inEnvelopes, log, oldest] = await Promise.all([
    accountsOf(db, member.id),
    unpaidCentsOf(db, member.id),
    heldOf(db, member, 'cny'),
    envelopeAmountsOf(db, member.id),
    logOf(db, member, member.id, 'cny', await queryOf(db, input)),
    oldestOf(db, member.id, 'cny'),
  ])
  return {
    account: accountView('cny', accounts.cny),
    unspendable: serializeAmount('cny', unspendable(unpaid, accounts.cny.balance)),
    held,
    inEnvelopes: inEnvelopes.cny,
    months: oldest ? monthsSince(oldest, timeZone) : [],
    log,
  }
}

export async function showWallet(db: Db, member: Member): Promise<Output<typeof wallet>> {
  const [accounts, inEnvelopes, { allowCash }] = await Promise.all([
    accountsOf(db, member.id),
    envelopeAmountsOf(db, member.id),
    setting.all(db),
  ])
  const view = (currency: Currency) => ({ ...accountView(currency, accounts[currency]), coming: inEnvelopes[currency].coming })
  return { points: view('points'), cny: allowCash ? view('cny') : null }
}

const statementPage = 200

export async function showStatement(
  db: Db,
  member: Member,
  { currency, month, before }: ParsedInput<typeof statement>,
): Promise<Output<typeof statement>> {
  if (currency === 'cny') await requireCash(db)
  const { timeZone } = await setting.all(db)
  const [from, until] = [startOfDay(`${month}-01`, timeZone), startOfDay(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, timeZone)]
  const [first, last, log] = await Promise.all([
    entriesOf(db, member.id, currency, { until: from, size: 1 }),
    entriesOf(db, member.id, currency, { until, size: 1 }),
    logOf(db, member, member.id, currency, { from, until, before, size: statementPage }),
  ])
  const balanceAfter = ([entry]: Entry[]) => serializeAmount(currency, entry?.balance ?? 0n)
  return { opening: balanceAfter(first), closing: balanceAfter(last), log }
}

/** Missing on a site without balances. */
export async function requireCash(db: Db): Promise<Settings> {
  const settings = await setting.all(db)
  if (!settings.allowCash) throw Missing()
  return settings
}

export function accountView(currency: Currency, { balance: has, owed }: Account) {
  return { balance: serializeAmount(currency, has), owed: serializeAmount(currency, owed) }
}

export async function logOf(
  db: Db,
  viewer: Viewer,
  memberId: string,
  currency: Currency,
  input: EntryQuery,
): Promise<{ rows: EntryView[]; next: string | null }> {
  const found = await entriesOf(db, memberId, currency, { ...input, size: input.size + 1 })
  const entries = found.slice(0, input.size)
  const sources = entries.map(({ source }) => source)
  const rewards = entries.flatMap(({ kind, source }) => (kind === 'reward' || kind === 'rewardTaken' ? source : []))
  const [subjects, rules, payments] = await Promise.all([
    subjectsOf(db, viewer, sources),
    rulesOf(db, rewards),
    paymentNumbersOf(db, sources),
  ])
  const rows = entries.map(({ id, at, kind, source, reason, amount, owed, balance: after }) => ({
    id,
    at: at.toISOString(),
    kind,
    amount: serializeAmount(currency, amount),
    owed: serializeAmount(currency, owed),
    balance: serializeAmount(currency, after),
    reason,
    rule: rules.get(source) ?? null,
    subject: subjects.get(source) ?? null,
    paymentNumber: payments.get(source) ?? null,
  }))
  return { rows, next: found.length > input.size ? (rows.at(-1)?.id ?? null) : null }
}

async function queryOf(db: Db, { kind, day, before }: ParsedInput<typeof point>): Promise<EntryQuery> {
  const { timeZone } = await setting.all(db)
  const during = day === undefined ? {} : { from: startOfDay(day, timeZone), until: startOfDay(addDays(day, 1), timeZone) }
  return { kind, before, ...during, size: perPage }
}

async function oldestOf(db: Db, memberId: string, currency: Currency): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`select at from ledger.transaction where id = (
    select transaction_id from ledger.entry where account_id = ${accountOf(memberId, currency)} order by transaction_id limit 1)`.execute(
    db,
  )
  return rows[0]?.at
}

function monthsSince(moment: Date, zone: string): string[] {
  const [first, months] = [dayAt(moment, zone).slice(0, 7), [dayAt(Date.now(), zone).slice(0, 7)]]
  for (let month = months[0] ?? ''; month > first; months.push(month)) month = addDays(`${month}-01`, -1).slice(0, 7)
  return months
}
