import { sql, type RawBuilder } from 'kysely'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { pagedMerge, type MergeWindow } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import type { memberAccounts, transaction, transactions } from '#wallet/adjust-contract.ts'
import { serializeAmount, currencies, entryKinds, toMinor, type Currency, type EntryKind } from '#wallet/contract.ts'
import { perPage } from '#wallet/log-contract.ts'
import { limitsOf } from '#wallet/server/approval.ts'
import { accountOf, accountsOf, boundsOf, inPeriod } from '#wallet/server/log.ts'
import { accountView, logOf } from '#wallet/server/member-accounts.ts'
import { isReversedElsewhere } from '#wallet/server/reverse.ts'
import { visibleCurrencies } from '#wallet/server/currencies.ts'
import { subjectsOf, topicOf } from '#wallet/server/subject.ts'

const id = sql`its.id`
const keys = { at: { by: id, as: 'bigint' } } as const

export async function list(db: Db, input: ParsedInput<typeof transactions>): Promise<Answer<typeof transactions>> {
  const page = await pagedMerge(db, await matchingIds(db, input, await visibleCurrencies(db)), { ...input, keys, id })
  const ids = page.rows.map((row) => row.id)
  const rows = await viewsOf(db, await rowsOf(db).where('its.id', '=', anyOf(ids)).execute())
  return { ...page, rows: rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) }
}

/** Ids of transactions, from an index that is already in the requested order. */
async function matchingIds(db: Db, input: ParsedInput<typeof transactions>, visible: readonly Currency[]) {
  const { number, kind, member, currency, since, until } = input
  const selected = currency && visible.includes(currency) ? [currency] : visible
  const during = { from: since === undefined ? since : new Date(since), until: until === undefined ? until : new Date(until) }
  const ofKind = kind ? sql` and kind = ${kind}` : sql``
  const isOfAll = !member && !kind && selected.length === currencies.length
  const its = isOfAll ? id : sql`transaction_id`
  const bounds = await boundsOf(db, during)
  const terms = (account?: RawBuilder<unknown>) => [...(number ? [sql`${its} = ${number}`] : []), ...inPeriod(bounds, its, account)]
  const parts = member
    ? selected.map((one) => [sql`account_id = ${accountOf(member, one)}${ofKind}`, ...terms(accountOf(member, one))])
    : selected.flatMap((one) =>
        (kind ? [kind] : entryKinds).map((each) => [sql`amount > 0 and currency = ${one} and kind = ${each}`, ...terms()]),
      )
  return (reach: MergeWindow) => {
    const source = isOfAll ? transactionIds(terms()) : mergeParts(parts, reach)
    return db.selectFrom(sql<{ id: string }>`(${source})`.as('its')).select('its.id')
  }
}

function transactionIds(terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`select id from ledger.transaction as its where ${sql.join([sql`true`, ...terms], sql` and `)}`
}

// Each part is ordered, so the first rows of each are enough for the whole.
function mergeParts(parts: readonly (readonly RawBuilder<unknown>[])[], { isAscending, fromKey, limit }: MergeWindow): RawBuilder<unknown> {
  const [operator, direction] = isAscending ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const beyond = fromKey === null ? [] : [sql`transaction_id ${operator} ${fromKey}`]
  const beginnings = parts.map(
    (part) => sql`(select distinct transaction_id as id from ledger.entry where ${sql.join([...part, ...beyond], sql` and `)}
      order by id ${direction} limit ${limit})`,
  )
  return sql`select distinct id from (${sql.join(beginnings, sql` union all `)}) as beginnings`
}

export async function show(db: Db, by: Staff, transactionId: string): Promise<Answer<typeof transaction>> {
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
      amount: serializeAmount(entry.currency, toMinor(amount)),
      balance: balance === null ? null : serializeAmount(entry.currency, toMinor(balance)),
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

export async function showMember(db: Db, by: Staff, input: ParsedInput<typeof memberAccounts>): Promise<Output<typeof memberAccounts>> {
  const { memberId, currency, kind, before } = input
  const row = await db.selectFrom('member').select(['account', 'nickname', 'points_earned']).where('id', '=', memberId).executeTakeFirst()
  if (!row) throw Missing()
  const [settings, enabled] = await Promise.all([setting.all(db), visibleCurrencies(db)])
  const [accounts, { waiting }, log] = await Promise.all([
    accountsOf(db, memberId),
    db
      .selectFrom('money_request')
      .select(sql<number>`count(*)::int`.as('waiting'))
      .where('member_id', '=', memberId)
      .where('state', '=', 'waiting')
      .$if(!enabled.includes('cny'), (query) => query.where('cents', '=', '0'))
      .executeTakeFirstOrThrow(),
    logOf(db, by, memberId, currency, { kind, before, size: perPage }),
  ])
  const limits = limitsOf(settings)
  // A remaining balance is shown even if balances are switched off: staff must be able to inspect it.
  const visible = currencies.filter((one) => enabled.includes(one) || Object.values(accounts[one]).some((amount) => amount !== 0n))
  if (!visible.includes(currency)) throw Missing()
  return {
    member: { id: memberId, name: row.nickname ?? row.account },
    isOfMe: memberId === by.id,
    earned: Number(row.points_earned),
    accounts: visible.map((one) => ({ currency: one, ...accountView(one, accounts[one]), held: serializeAmount(one, accounts[one].held) })),
    waiting,
    alone: sumsOut(limits.alone),
    aloneADay: sumsOut(limits.aloneADay),
    log,
  }
}

function sumsOut({ points, cny }: Record<Currency, bigint>): Record<Currency, string> {
  return { points: serializeAmount('points', points), cny: serializeAmount('cny', cny) }
}

function rowsOf(db: Db) {
  return db
    .selectFrom('ledger.transaction as its')
    .leftJoin('ledger.transaction as reversal', 'reversal.reverses', 'its.id')
    .leftJoin('staff', (join) => join.onRef('staff.id', '=', 'its.actor_id').on('its.actor_kind', '=', 'staff'))
    .leftJoin('member', (join) => join.onRef('member.id', '=', 'its.actor_id').on('its.actor_kind', '=', 'member'))
    .select(['its.id', 'its.at', 'its.kind', 'its.source', 'its.actor_kind', 'its.actor_id', 'its.reason', 'its.reverses'])
    .select((row) => ['reversal.id as reversedBy', row.fn.coalesce('staff.account', 'member.nickname', 'member.account').as('actor_name')])
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

type Views = Answer<typeof transactions>['rows']

async function viewsOf(db: Db, rows: readonly Row[]): Promise<Views> {
  const { rows: parts } = await sql<{ transactionId: string; currency: Currency; sum: string; members: Views[number]['members'] | null }>`
    select transaction_id as "transactionId", entry.currency, sum(amount) filter (where amount > 0) as sum,
      json_agg(distinct jsonb_build_object('id', member.id::text, 'name', coalesce(nickname, member.account)))
        filter (where member.id is not null) as members
    from ledger.entry join ledger.account on account.id = account_id
      left join member on member.id = account.owner_id and name = 'member'
    where transaction_id = ${anyOf(rows.map((row) => row.id))} group by transaction_id, entry.currency`.execute(db)
  const partsOf = Map.groupBy(parts, ({ transactionId }) => transactionId)
  return rows.map(({ actor_kind, actor_id, actor_name, ...row }) => {
    const its = partsOf.get(row.id) ?? []
    return {
      ...row,
      kind: row.kind as EntryKind,
      actor: { kind: actor_kind, id: actor_id, name: actor_name },
      sums: its.map(({ currency, sum }) => ({ currency, amount: serializeAmount(currency, toMinor(sum)) })),
      members: its.flatMap(({ members }) => members ?? []),
    }
  })
}
