import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { raiseBounty } from '#bounty/contract.ts'
import { applyRules } from '#database/rules.ts'
import { buyPart, unlockPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let owner: pg.Client
let author: Person
let buyers: Person[]
let stranger: Person

/** The tables that the database's owner may tamper with, copied to restore them. */
const tables = [
  'ledger.transaction',
  'ledger.entry',
  'ledger.account',
  'ledger.hold',
  'ledger.month_sum',
  'hidden.unlock',
  'money_request',
  'ledger.kind',
]

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  author = await forum.member()
  buyers = [await forum.member(), await forum.member()]
  stranger = await forum.member()
  const tagId = await aTag(forum.database)
  const body = documentWith(hides('points', '7', 'paid'), hides('password', 'sesame', 'known'))
  const topicId = await aTopic(author, tagId, { body })
  const [priced = '', locked = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  for (const buyer of buyers) {
    await endow(forum.database, buyer.id, 50)
    await buyer.call(buyPart, { partId: priced, price: '7' }, newIdempotencyKey())
    await buyer.call(unlockPart, { partId: locked, password: 'sesame' })
  }
  await endow(forum.database, author.id, 90)
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.'), bountyPoints: '20' }
  const { questionId } = await author.call(askQuestion, draft, newIdempotencyKey())
  await author.call(raiseBounty, { questionId, bountyPoints: '30' }, newIdempotencyKey())
  // The sums of months are tampered with too, once no open transaction delays them.
  const summed = () => forum.database.app.selectFrom('ledger.month_sum').select('month').limit(1).executeTakeFirst()
  while (!(await summed())) await checkLedger(forum.database, bookChecks, { isFull: false })
  for (const [place, table] of tables.entries()) await owner.query(`create temp table kept_${place} as table ${table}`)
})
afterAll(() => owner.end())

const alter = (text: string) => owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)

async function putBack(): Promise<void> {
  for (const [place, table] of tables.entries())
    await alter(`delete from ${table}; insert into ${table} overriding system value select * from kept_${place}`)
}

async function isFoundAtOnce(): Promise<void> {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  expect(breaches).not.toEqual([])
  expect(await wallet.isFrozen(forum.database.app)).toBe(true)
  await sql`select ledger.thaw('Put back', 1)`.execute(forum.database.app)
}

/** Swaps the same column of two rows. */
const swapped = (table: string, column: string, key: string, [one, other]: readonly [string, string]) => `
  update ${table} set ${column} = case ${key} when (${one}) then (select ${column} from ${table} where ${key} = (${other}))
    else (select ${column} from ${table} where ${key} = (${one})) end where ${key} in ((${one}), (${other}))`
const unlocks = ['select min(id) from hidden.unlock where paid > 0', 'select max(id) from hidden.unlock where paid > 0'] as const
const payment = "(select min(id) from ledger.transaction where kind = 'unlock')"
const digested = `update ledger.transaction as its set digest = ledger.digest_of(its, (select array_agg(entry) from ledger.entry where transaction_id = its.id))`
const buyersSwapped = `
  create temp table swapping as select transaction_id, account_id from ledger.entry where kind = 'unlock' and amount < 0;
  update ledger.entry set account_id = (select account_id from swapping where swapping.transaction_id <> entry.transaction_id)
    where kind = 'unlock' and amount < 0;
  drop table swapping`

test.each([
  ['the accounts of two entries', buyersSwapped],
  ['the same with digests that fit', `${buyersSwapped}; ${digested}`],
  ['the members of two payments', swapped('hidden.unlock', 'member_id', 'id', unlocks)],
  ['an amount', `update ledger.entry set amount = amount - 1 where transaction_id = ${payment} and amount < 0`],
  ['a kind', `update ledger.transaction set kind = 'bountyPaid' where id = ${payment}`],
  ['a reason', `update ledger.transaction set reason = 'Because' where id = ${payment}`],
  ['a moment', `update ledger.transaction set at = at - interval '1 day' where id = ${payment}`],
  ['what is a reason and what is a key', `update ledger.transaction set reason = request, request = null where id = ${payment}`],
  ['the name of an account', "update ledger.account set name = 'fee', label = 'other' where name = 'adjustment' and currency = 'points'"],
  ['who did it', `update ledger.transaction set actor_kind = 'forum', actor_id = null where id = ${payment}`],
  ['a reason with its digest', `update ledger.transaction set reason = 'Because' where id = ${payment}; ${digested}`],
  ['the moment with its digest', `update ledger.transaction set at = at - interval '70 days' where id = ${payment}; ${digested}`],
  [
    'the parts of a balance',
    "update ledger.account set balance = balance + 1 where name = 'member' and currency = 'points' and balance > 0",
  ],
  ['what was asked for by staff', 'update money_request set points = points - 1'],
  [
    'what an adjustment is for',
    "update ledger.transaction set kind = 'reward' where kind = 'adjustment'; update ledger.entry set kind = 'reward' where kind = 'adjustment'",
  ],
  ['the sums of a month', 'update ledger.month_sum set incoming = incoming + 1, outgoing = outgoing + 1'],
  ['the points that the site gave in a month', 'update ledger.month_sum set from_site = from_site + 1 where balance is not null'],
  ['what a kind may do', "update ledger.kind set document = null where name = 'unlock'"],
  ['which kinds there are', "insert into ledger.kind (name, legs) values ('gift', '{member+,promotion-}')"],
])('%s, if it was changed, is found by the next full check', async (_, tampering) => {
  await alter(tampering)
  await isFoundAtOnce()
  await putBack()
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('unchanged books pass the check', async () => {
  expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('an unlock that a stranger is given is found, paid or known', async () => {
  await alter(`update hidden.unlock set member_id = ${stranger.id} where id = (${unlocks[0]})`)
  await isFoundAtOnce()
  await putBack()
  await alter(`insert into hidden.unlock (part_id, member_id, lock)
    select part_id, ${stranger.id}, 'password' from hidden.unlock where id = (${unlocks[0]})`)
  await isFoundAtOnce()
  await putBack()
})

test('a hold that is given to a stranger is found', async () => {
  await alter(`update ledger.hold set owner_id = ${stranger.id} where state = 'open'`)
  await isFoundAtOnce()
  await putBack()
})

test('the remainder of a share is never a whole unit', async () => {
  for (const rest of [-1, 100])
    await expect(alter(`update ledger.account set share_rest = ${rest} where owner_id = ${author.id}`)).rejects.toMatchObject({
      code: '23514',
    })
})

test('a payment that is gone with all its entries, balances and points made to fit, is found', async () => {
  await alter(`
    update ledger.account set balance = balance - amount from ledger.entry
      where account.id = account_id and transaction_id = ${payment} and account.balance is not null;
    delete from hidden.unlock where transaction_id = ${payment};
    delete from ledger.entry where transaction_id = ${payment};
    delete from ledger.transaction where id = ${payment}`)
  await isFoundAtOnce()
  await putBack()
})

test.each([
  ['a trigger that is gone', 'drop trigger immutable on ledger.entry', ''],
  [
    'a trigger that is another',
    'create or replace trigger immutable before truncate on ledger.entry for each statement execute function ledger.refuse_change()',
    '',
  ],
  [
    'a trigger that is off',
    'alter table ledger.entry disable trigger requires_balance',
    'alter table ledger.entry enable trigger requires_balance',
  ],
  [
    'a trigger that is new',
    'create trigger more before update on ledger.account for each row execute function ledger.refuse_change()',
    'drop trigger more on ledger.account',
  ],
  ['a function', 'create or replace function ledger.refuse_change() returns trigger language plpgsql as $$ begin return null; end $$', ''],
  [
    'a check',
    'alter table ledger.account drop constraint balance_is_right, add constraint balance_is_right check (balance < 9)  not valid',
    `alter table ledger.account drop constraint balance_is_right, add constraint balance_is_right check (abs(balance) < 1000000000000000
      and (balance >= 0 or name = 'member') and earned >= 0 and given >= 0
      and earned + given <= greatest(balance, 0) and share_rest between 0 and 99 and (not is_closed or balance = 0))`,
  ],
  ['a right to a table', 'grant insert on ledger.entry to teahouse_app', 'revoke insert on ledger.entry from teahouse_app'],
  ['a right of everybody', 'grant truncate on hidden.unlock to public', 'revoke truncate on hidden.unlock from public'],
  [
    'a right to a column',
    'grant update (member_id) on hidden.unlock to teahouse_reader',
    'revoke update (member_id) on hidden.unlock from teahouse_reader',
  ],
  [
    'a right to a function',
    'grant execute on function ledger.make_entry to teahouse_app',
    'revoke execute on function ledger.make_entry from teahouse_app',
  ],
])('%s in the guards of the books is found by the next check of new transactions', async (_, tampering, back) => {
  await owner.query(tampering)
  expect(await checkLedger(forum.database, bookChecks, { isFull: false })).not.toEqual([])
  await isFoundAtOnce()
  await owner.query(`${back || 'select'}; delete from rules`)
  await applyRules(owner)
  expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
})
