import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { bookChecks as ownChecks } from '#red-envelope/server/book-checks.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { aDirectOne, aGiver, envelopeOf, letEnd, opens, payClaims, stands, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let owner: pg.Client
let giver: Person
let tagId = ''
/** An open one with one paid and one claimed share, a fully taken one, one with a returned part, and a targeted one. */
let ids: Record<'open' | 'taken' | 'returned' | 'targeted', string>

/** The tables that the owner of the database may tamper with, copied to restore them. */
const tables = [
  'ledger.transaction',
  'ledger.entry',
  'ledger.account',
  'ledger.hold',
  'red_envelope',
  'red_envelope_share',
  'ledger.month_sum',
  'ledger.summed',
]

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  await owner.query(`update migration set ran_at = now() - interval '40 days' where name = '0026-seals.sql'`)
  await withEnvelopes(forum)
  giver = await aGiver(forum)
  tagId = await aTag(forum.database)
  const people = [await forum.member(), await forum.member(), await forum.member()]
  const anEnvelope = async (opened: number) => {
    const { body } = await gives(giver, tagId, { envelopeKind: 'random', envelopePoints: '100', envelopeQuantity: 3 })
    const id = await envelopeOf(forum, body.topicId)
    for (const who of people.slice(0, opened)) await opens(who, id)
    return id
  }
  const [receiver] = people
  if (!receiver) throw new Error('Somebody receives the targeted one')
  const targeted = await aDirectOne(forum.database, giver.id, receiver.account)
  await opens(receiver, targeted)
  ids = { taken: await anEnvelope(3), returned: await anEnvelope(2), open: await anEnvelope(1), targeted }
  await payClaims(forum)
  await letEnd(forum, ids.returned)
  const [, second] = people
  if (second) await opens(second, ids.open)
  const summed = () => forum.database.app.selectFrom('ledger.month_sum').select('month').limit(1).executeTakeFirst()
  while (!(await summed())) await checkLedger(forum.database, bookChecks, { isFull: false })
  for (const [place, table] of tables.entries()) await owner.query(`create temp table kept_${place} as table ${table}`)
})
afterAll(() => owner.end())

test('unchanged books pass the check', async () => {
  expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

const alter = (text: string) => owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)

const named = (text: string) => text.replaceAll(/\$(open|taken|returned|targeted)/g, (_all, name: keyof typeof ids) => ids[name])

async function putBack(): Promise<void> {
  for (const [place, table] of tables.entries())
    await alter(`delete from ${table}; insert into ${table} overriding system value select * from kept_${place}`)
  await sql`select ledger.thaw('Put back', 1)`.execute(forum.database.app)
}

const deleteEntries = (kind: string) => `
  update ledger.account set balance = balance - amount from ledger.entry join ledger.transaction as its on its.id = transaction_id
    where account.id = account_id and its.kind = '${kind}' and account.balance is not null;
  delete from ledger.entry where kind = '${kind}'; delete from ledger.transaction where kind = '${kind}'`

/** The changes; $open, $taken, $returned and $targeted stand for the envelopes. */
const tampering: [string, string][] = [
  ['a share that is gone', 'delete from red_envelope_share where envelope_id = $open and member_id is null'],
  ['a share more than there are', 'insert into red_envelope_share (envelope_id, place, amount) values ($open, 4, 5)'],
  ['a share of another amount', 'update red_envelope_share set amount = amount + 1 where envelope_id = $open and member_id is null'],
  [
    'two shares that changed amounts',
    `update red_envelope_share as one set amount = other.amount + (one.place - 2) * 0 from red_envelope_share as other
      where one.envelope_id = $taken and other.envelope_id = $taken and other.place = case one.place when 1 then 2 when 2 then 1 else 3 end`,
  ],
  [
    'a share that was paid to another',
    'update red_envelope_share set member_id = (select giver_id from red_envelope where id = $taken) where envelope_id = $taken and place = 1',
  ],
  [
    'a share that nobody was paid for',
    `update red_envelope_share set member_id = (select giver_id from red_envelope where id = $open), claimed_at = now(), transaction_id = 999999
      where envelope_id = $open and member_id is null`,
  ],
  [
    'a share that goes back while others may open it',
    'update red_envelope_share set is_returned = true where envelope_id = $open and member_id is null',
  ],
  [
    'a share that was claimed after it went back',
    `update red_envelope_share set is_returned = false, claimed_at = now(), member_id = (select giver_id from red_envelope where id = $returned)
      where envelope_id = $returned and is_returned`,
  ],
  ['an envelope that is gone', 'delete from red_envelope_share where envelope_id = $taken; delete from red_envelope where id = $taken'],
  [
    'an envelope of another giver',
    'update red_envelope set giver_id = (select min(member_id) from red_envelope_share where envelope_id = $taken) where id = $taken',
  ],
  [
    'one for a member that another was paid',
    'update red_envelope set receiver_id = (select max(member_id) from red_envelope_share where envelope_id = $taken) where id = $targeted',
  ],
  ['an envelope of another amount', 'update red_envelope set amount = amount + 1 where id = $open'],
  ['an envelope of more shares', 'update red_envelope set quantity = quantity + 1 where id = $open'],
  ['one that says more was paid', 'update red_envelope set paid = paid + 1 where id = $open'],
  ['one that says another amount was paid', 'update red_envelope set paid_amount = paid_amount - 1 where id = $taken'],
  ['one that says it was paid more often', 'update red_envelope set payments = payments + 1 where id = $open'],
  ['one that says more went back', 'update red_envelope set returned = returned + 1 where id = $returned'],
  ['one that says something went back', 'update red_envelope set returned = 5 where id = $taken'],
  ['one that says all was taken', `update red_envelope set state = 'taken', end_reason = 'taken' where id = $returned`],
  ['one that says something is left', `update red_envelope set state = 'returned', end_reason = 'expired' where id = $taken`],
  [
    'one that is open after all',
    `update red_envelope set state = 'open', ended_at = null, end_reason = null, ends_at = now() + interval '1 day' where id = $returned`,
  ],
  [
    'one that is over and holds something',
    `update red_envelope set state = 'returned', ended_at = now(), end_reason = 'expired' where id = $open`,
  ],
  ['a luckiest who was not', 'update red_envelope set best_place = case best_place when 1 then 2 else 1 end where id = $taken'],
  [
    'two envelopes that changed what is held for them',
    `update red_envelope set hold_id = -hold_id where id in ($taken, $returned);
      update red_envelope as one set hold_id = -other.hold_id from red_envelope as other
        where one.id in ($taken, $returned) and other.id in ($taken, $returned) and one.id <> other.id`,
  ],
  ['the conditions of one that is open', `update red_envelope set conditions = '{"follows": true}' where id = $open`],
  [
    'how one that is open was cut',
    `update red_envelope_share set amount = amount + case when ctid = (
        select ctid from red_envelope_share where envelope_id = $open and transaction_id is null order by amount desc, ctid limit 1) then -1 else 1 end
      where envelope_id = $open and transaction_id is null`,
  ],
  [
    'a free share that was claimed past the program',
    `update red_envelope_share set member_id = (select giver_id from red_envelope where id = $open), claimed_at = now()
      where envelope_id = $open and member_id is null`,
  ],
  [
    'a free share that was claimed past the program with the seal of another',
    `update red_envelope_share set member_id = (select giver_id from red_envelope where id = $open), claimed_at = now(),
      seal = (select seal from red_envelope_share where envelope_id = $open and seal is not null limit 1) where envelope_id = $open and member_id is null`,
  ],
  ['shares whose payment is gone', deleteEntries('redEnvelopeReceived')],
  ['what went back and did not', deleteEntries('redEnvelopeReturned')],
]

test.each([
  'update red_envelope set giver_id = receiver_id where id = $targeted',
  'update red_envelope set receiver_id = giver_id where id = $targeted',
  'update red_envelope set amount = amount + 1 where id = $open',
  'update red_envelope set quantity = quantity + 1 where id = $open',
  `update red_envelope set conditions = '{"follows": true}' where id = $open`,
  `update red_envelope set state = 'open', ended_at = null, end_reason = null where id = $returned`,
  'update red_envelope_share set amount = amount + 1 where envelope_id = $open',
  'update red_envelope_share set member_id = (select giver_id from red_envelope where id = $taken) where envelope_id = $taken',
  'update red_envelope_share set transaction_id = null where envelope_id = $taken',
  'delete from red_envelope_share where envelope_id = $open',
])('the program itself cannot: %s', async (text) => {
  const change = sql.raw(named(text)).execute(forum.database.app)
  await expect(change).rejects.toThrow('A red envelope stays as it was given')
})

test.each(tampering)('%s is found by the next full check', async (_, text) => {
  await alter(named(text))
  const found = await checkLedger(forum.database, bookChecks, { isFull: true })
  // By a check of red envelopes, whatever else notices it.
  expect(found.filter(({ check }) => ownChecks.some(({ name }) => name === check))).not.toEqual([])
  expect(await wallet.isFrozen(forum.database.app)).toBe(true)
  await putBack()
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('a member with two shares of one envelope is found, even without its constraint', async () => {
  const index = 'red_envelope_share_envelope_id_member_id_idx'
  await alter(`drop index ${index}; update red_envelope_share set member_id = (select min(member_id) from red_envelope_share where envelope_id = ${ids.open}
    and member_id is not null), claimed_at = now() where envelope_id = ${ids.open} and transaction_id is null`)
  const found = await checkLedger(forum.database, bookChecks, { isFull: true })
  expect(found.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'each share of a red envelope goes to one member, of a targeted one to its receiver, and each member has one',
      'what guards the books is as the program has it',
    ]),
  )
  await putBack()
  await owner.query(`create unique index ${index} on red_envelope_share (envelope_id, member_id) where member_id is not null`)
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('an envelope that cannot be paid or returned keeps no other from that', async () => {
  await alter(
    `update ledger.account set balance = 0 where name = 'escrow' and owner_id = (select hold_id from red_envelope where id = ${ids.open})`,
  )
  await sql`select ledger.thaw('A look', 1) from ledger.freezing where thawed_at is null`.execute(forum.database.app)
  const opener = await forum.member()
  const give = async () => {
    const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 2 })
    const id = await envelopeOf(forum, body.topicId)
    await opens(opener, id)
    return id
  }
  const [paid, returned] = [await give(), await give()]
  await expect(payClaims(forum)).rejects.toThrow(`Red envelopes that failed: ${ids.open}`)
  await sql`update red_envelope set ends_at = clock_timestamp() - interval '1 hour' where id in (${ids.open}, ${returned})`.execute(
    forum.database.app,
  )
  await expect(endDue(forum.database)).rejects.toThrow(`Red envelopes that failed: ${ids.open}`)
  expect(await stands(forum, returned)).toMatchObject({ state: 'returned', returned: '10' })
  const { rows } = await sql<{ count: number }>`select count(*)::int from red_envelope_share where transaction_id is not null
    and envelope_id in (${paid}, ${returned})`.execute(forum.database.app)
  expect(rows).toEqual([{ count: 2 }])
  await putBack()
})

test('a changed payment is found by the next check of new transactions', async () => {
  await alter(`update ledger.account set balance = balance + 1 where name = 'escrow'
    and owner_id = (select hold_id from red_envelope where id = ${ids.open})`)
  await payClaims(forum)
  expect((await checkLedger(forum.database, bookChecks, { isFull: false })).map(({ check }) => check)).toContain(
    'a red envelope holds what was not paid yet, and nothing once it is over',
  )
  await putBack()
})

test('an envelope that opened before there were seals is paid and right, until all of those have ended', async () => {
  await owner.query(`update migration set ran_at = now() where name = '0026-seals.sql'`)
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 2 })
  const id = await envelopeOf(forum, body.topicId)
  const [first, second] = [await forum.member(), await forum.member()]
  await opens(first, id)
  const unseal = () =>
    alter(`update red_envelope set seal = null where id = ${id}; update red_envelope_share set seal = null where envelope_id = ${id}`)
  await unseal()
  await payClaims(forum)
  await opens(second, id)
  await unseal()
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
  await owner.query(`update migration set ran_at = now() - interval '40 days' where name = '0026-seals.sql'`)
  expect((await checkLedger(forum.database, bookChecks, { isFull: true })).map(({ what }) => what)).toEqual([
    `red envelope ${id}`,
    `red envelope ${id}, share 2`,
  ])
})
