import { sql } from 'kysely'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import { paged } from '#base/server/paged.ts'
import type { Staff } from '#base/server/route.ts'
import * as setting from '#setting/server/setting.ts'
import type { memberAccounts, transaction, TransactionRow, transactions } from '#wallet/adjust-contract.ts'
import { amountOut, currencies, minorOf, type Currency, type EntryKind } from '#wallet/contract.ts'
import { perPage } from '#wallet/log-contract.ts'
import { limitsOf } from '#wallet/server/alone.ts'
import { accountsOf } from '#wallet/server/log.ts'
import { accountView, logOf } from '#wallet/server/own.ts'
import { isReversedElsewhere } from '#wallet/server/reverse.ts'
import { shownCurrencies } from '#wallet/server/shown.ts'
import { subjectsOf, topicOf } from '#wallet/server/subject.ts'

const id = sql`its.id`
const keys = { at: { by: id, as: 'bigint' } } as const

export async function list(db: Db, asked: Taken<typeof transactions>): Promise<Output<typeof transactions>> {
  const { number, kind, member, since, until } = asked
  const shown = await shownCurrencies(db)
  const wanted = asked.currency && shown.includes(asked.currency) ? [asked.currency] : shown
  let query = rowsOf(db)
  if (number) query = query.where('its.id', '=', number)
  if (kind) query = query.where('its.kind', '=', kind)
  if (since) query = query.where('its.at', '>=', new Date(since))
  if (until) query = query.where('its.at', '<', new Date(until))
  if (member || wanted.length < currencies.length)
    query = query.where(sql<boolean>`exists (select from ledger.entry join ledger.account on account.id = account_id
      where transaction_id = its.id ${member ? sql`and owner_id = ${member} and name = 'member'` : sql``}
        and entry.currency = ${anyOf(wanted)})`)
  const page = await paged(db, query, { ...asked, keys, id })
  return { ...page, rows: await viewsOf(db, page.rows) }
}

export async function show(db: Db, by: Staff, transactionId: string): Promise<Output<typeof transaction>> {
  const row = await rowsOf(db).where('its.id', '=', transactionId).executeTakeFirst()
  if (!row) throw Missing()
  const [[view], { rows: entries }, subjects, topicId, opens, waits] = await Promise.all([
    viewsOf(db, [row]),
    sql<EntryRow>`
      select account.name as account, coalesce(hold.owner_id, account.owner_id) as "ownerId", coalesce(nickname, member.account) as "ownerName",
        entry.currency, entry.amount, balance_after as balance
      from ledger.entry join ledger.account on account.id = account_id left join ledger.hold on name = 'escrow' and hold.id = account.owner_id
        left join member on member.id = coalesce(hold.owner_id, account.owner_id)
      where transaction_id = ${transactionId} order by entry.amount, account.id`.execute(db),
    subjectsOf(db, by, [row.source]),
    topicOf(db, row),
    db.selectFrom('ledger.hold').select('id').where('opened_by', '=', transactionId).executeTakeFirst(),
    db.selectFrom('money_request').select('id').where('reverses', '=', transactionId).where('state', '=', 'waiting').executeTakeFirst(),
  ])
  if (!view) throw Missing()
  return {
    ...view,
    subject: subjects.get(row.source) ?? null,
    topicId,
    isWaiting: waits !== undefined && !view.reversedBy,
    canReverse: !opens && !view.reversedBy && !isReversedElsewhere(view.kind) && !entries.some(({ ownerId }) => ownerId === by.id),
    entries: entries.map(({ ownerId, ownerName, amount, balance, ...entry }) => ({
      ...entry,
      owner: ownerId === null ? null : { id: ownerId, name: ownerName ?? ownerId },
      amount: amountOut(entry.currency, minorOf(amount)),
      balance: balance === null ? null : amountOut(entry.currency, minorOf(balance)),
    })),
  }
}

type EntryRow = {
  account: Output<typeof transaction>['entries'][number]['account']
  ownerId: string | null
  ownerName: string | null
  currency: Currency
  amount: string
  balance: string | null
}

export async function showMember(db: Db, by: Staff, asked: Taken<typeof memberAccounts>): Promise<Output<typeof memberAccounts>> {
  const { memberId, currency, kind, before } = asked
  const row = await db.selectFrom('member').select(['account', 'nickname', 'points_earned']).where('id', '=', memberId).executeTakeFirst()
  if (!row) throw Missing()
  const [settings, shown] = await Promise.all([setting.all(db), shownCurrencies(db)])
  const [accounts, { waiting }, log] = await Promise.all([
    accountsOf(db, memberId),
    db
      .selectFrom('money_request')
      .select(sql<number>`count(*)::int`.as('waiting'))
      .where('member_id', '=', memberId)
      .where('state', '=', 'waiting')
      .$if(!shown.includes('cny'), (query) => query.where('cents', '=', '0'))
      .executeTakeFirstOrThrow(),
    logOf(db, by, memberId, currency, { kinds: kind && [kind], before, size: perPage }),
  ])
  const limits = limitsOf(settings)
  // Money that is left on an account is told, whatever the switch says: staff must be able to look into it.
  const told = currencies.filter((one) => shown.includes(one) || Object.values(accounts[one]).some((amount) => amount !== 0n))
  if (!told.includes(currency)) throw Missing()
  return {
    member: { id: memberId, name: row.nickname ?? row.account },
    isOfMe: memberId === by.id,
    earned: Number(row.points_earned),
    accounts: told.map((one) => ({ currency: one, ...accountView(one, accounts[one]), held: amountOut(one, accounts[one].held) })),
    waiting,
    alone: sumsOut(limits.alone),
    aloneADay: sumsOut(limits.aloneADay),
    log,
  }
}

function sumsOut({ points, cny }: Record<Currency, bigint>): Record<Currency, string> {
  return { points: amountOut('points', points), cny: amountOut('cny', cny) }
}

function rowsOf(db: Db) {
  return db
    .selectFrom('ledger.transaction as its')
    .leftJoin('ledger.transaction as reversal', 'reversal.reverses', 'its.id')
    .leftJoin('staff', (join) => join.onRef('staff.id', '=', 'its.actor_id').on('its.actor_kind', '=', 'staff'))
    .leftJoin('member', (join) => join.onRef('member.id', '=', 'its.actor_id').on('its.actor_kind', '=', 'member'))
    .select(['its.id', 'its.at', 'its.kind', 'its.source', 'its.actor_kind', 'its.actor_id', 'its.reason', 'its.reverses'])
    .select((row) => ['reversal.id as reversed_by', row.fn.coalesce('staff.account', 'member.nickname', 'member.account').as('actor_name')])
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

async function viewsOf(db: Db, rows: readonly Row[]): Promise<TransactionRow[]> {
  const { rows: parts } = await sql<{ transactionId: string; currency: Currency; sum: string; members: TransactionRow['members'] | null }>`
    select transaction_id as "transactionId", entry.currency, sum(amount) filter (where amount > 0) as sum,
      json_agg(distinct jsonb_build_object('id', member.id::text, 'name', coalesce(nickname, member.account)))
        filter (where member.id is not null) as members
    from ledger.entry join ledger.account on account.id = account_id
      left join member on member.id = account.owner_id and name = 'member'
    where transaction_id = ${anyOf(rows.map((row) => row.id))} group by transaction_id, entry.currency`.execute(db)
  const partsOf = Map.groupBy(parts, ({ transactionId }) => transactionId)
  return rows.map((row) => {
    const its = partsOf.get(row.id) ?? []
    return {
      id: row.id,
      at: row.at.toISOString(),
      kind: row.kind as EntryKind,
      source: row.source,
      actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
      reason: row.reason,
      sums: its.map(({ currency, sum }) => ({ currency, amount: amountOut(currency, minorOf(sum)) })),
      members: its.flatMap(({ members }) => members ?? []),
      reverses: row.reverses,
      reversedBy: row.reversed_by,
    }
  })
}
