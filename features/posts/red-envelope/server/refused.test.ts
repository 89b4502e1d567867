import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { block } from '#follow/contract.ts'
import { banMember, disableMember } from '#member/contract.ts'
import { askQuestion } from '#question/contract.ts'
import { giveEnvelope } from '#red-envelope/contract.ts'
import { aGiver, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { wordActions } from '#sensitive-word/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let giver: Person
let friend: Person
let tagId = ''
let sent = 0

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
  giver = await aGiver(forum, 1_000, 1_000)
  friend = await forum.member()
})
afterAll(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

type EnvelopeFields = Record<string, unknown>

/** Each form that gives an envelope, with its other required fields. */
const forms = {
  'a topic': { path: publishTopic.path, along: () => ({ tagId, title: `Topic ${++sent}`, body: says(`Tea, number ${sent}.`) }) },
  'a question': { path: askQuestion.path, along: () => ({ tagId, title: `Why ${++sent}`, body: says(`Why, number ${sent}?`) }) },
  'a profile': { path: giveEnvelope.path, along: () => ({ envelopeReceiver: friend.account }) },
} as const
type Name = keyof typeof forms
const names = Object.keys(forms) as Name[]

/** Sends a form as JSON or as a browser does, and returns the refused fields. */
async function refusedAt(name: Name, wish: EnvelopeFields, as: 'json' | 'form', who = giver): Promise<unknown> {
  const { path, along } = forms[name]
  const input: EnvelopeFields = { ...along(), ...wish }
  if (as === 'form') return fieldsOf(await who.send('POST', path, input, newIdempotencyKey()))
  const headers = { ...who.headers('POST'), ...newIdempotencyKey(), 'content-type': 'application/json' }
  return fieldsOf(
    await who.app.inject({ method: 'POST', url: `/api${path}`, remoteAddress: who.ip, headers, payload: JSON.stringify(input) }),
  )
}

function fieldsOf({ statusCode, body }: { statusCode: number; body: string }): unknown {
  const { error = {} } = JSON.parse(body) as { error?: Record<string, string> }
  return statusCode === 422 || statusCode === 400 ? Object.keys(error) : [statusCode, body]
}

/** The rows that a refusal must not leave behind, and the giver's funds. */
async function stateAfter(who = giver): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from red_envelope) as envelopes, (select count(*) from red_envelope_share) as shares, (select count(*) from topic) as topics,
      (select count(*) from ledger.hold) as holds, (select count(*) from ledger.transaction) as transactions,
      (select json_agg(balance order by currency) from ledger.account where name = 'member' and owner_id = ${who.id}) as has`.execute(
    forum.database.app,
  )
  return rows[0]
}

const random = { envelopeKind: 'random', envelopePoints: '50', envelopeQuantity: 5 } as const
/** An envelope that the form takes. */
const usualIn = (name: Name): EnvelopeFields => (name === 'a profile' ? { envelopePoints: '50' } : random)
const noNumbers = ['-1', '-0', '1e3', '1,000', '+1', '0x10', 'NaN', 'Infinity', 'null', '[]', '{}', 'true', '1.1.1', '1e-7']
const noAmounts = [...noNumbers, '0', '00', '01', '0.001', '9999999999999', '9007199254740993', '1_000', '¥1', '']
const noTexts: unknown[] = [null, [], {}, true, ['5'], { amount: '5' }, 5, -1, 1e21]
const noFlags: unknown[] = ['yes', '1', 'null', null, [], {}, 1]

/** Bad input of each field: as text, which browsers send, and as values, which programs send. */
const bad: Record<string, { texts: readonly string[]; values: readonly unknown[]; beside?: EnvelopeFields }> = {
  envelopeKind: { texts: ['Random', 'lucky', '10', ' random'], values: noTexts },
  envelopePoints: { texts: [...noAmounts, '1.5', '1.0'], values: noTexts },
  envelopeCash: { texts: [...noAmounts, '0.00', '.5', '1.', '1.005'], values: noTexts, beside: { envelopePoints: undefined } },
  envelopeQuantity: {
    texts: [...noNumbers, '0', '1.5', '1000000000', '100001', '9007199254740993', '99999999999999999999'],
    values: [null, [], {}, true, 0, -1, -0.5, 1.5, 1e9, 1e21, [5]],
  },
  envelopeGreeting: { texts: ['茶'.repeat(151), '👨‍👩‍👧‍👦'.repeat(151)], values: [null, [], {}, 5, true] },
  envelopeCover: { texts: ['Lantern', 'dragon', '../tea'], values: noTexts },
  envelopeReceiver: {
    texts: ['nobody_is_called_so', 'x'.repeat(61)],
    values: [null, [], {}, 5, true],
    beside: { envelopeKind: 'targeted', envelopeQuantity: undefined },
  },
  envelopeCommented: { texts: ['yes', '1', 'null', ''], values: noFlags },
  envelopeFollowers: { texts: ['yes', '1', 'null', ''], values: noFlags },
  envelopeLevel: { texts: ['-1', '1e3', '１', '+1', ' 1', '12345', '9999999999999'], values: noTexts, beside: { envelopeKind: 'random' } },
  envelopeRole: { texts: ['-1', 'admin', '1 or 1=1', '999999', '99999999999999999999'], values: [null, [], {}, true] },
  envelopeDays: { texts: [...noNumbers.filter((text) => text !== '-0'), '1.5', '3651'], values: [null, [], {}, true, -1, 0.5, 3_651] },
}
// A profile's form gives to one member and has no fields for conditions.
const notOnProfiles = new Set(['envelopeLevel', 'envelopeRole'])

describe.each(names)('%s', (name) => {
  test.each(Object.keys(bad).filter((field) => name !== 'a profile' || !notOnProfiles.has(field)))(
    'refuses an invalid %s, takes nothing and leaves nothing',
    async (field) => {
      const { texts, values, beside } = bad[field] ?? { texts: [], values: [] }
      const who = await aGiver(forum, 1_000, 1_000)
      const before = await stateAfter(who)
      for (const [as, all] of [
        ['form', texts],
        ['json', values],
      ] as const)
        for (const value of all)
          expect
            .soft([as, value, await refusedAt(name, { ...usualIn(name), ...beside, [field]: value }, as, who)])
            .toEqual([as, value, [field]])
      expect(await stateAfter(who)).toEqual(before)
    },
  )
})

const conditions = { envelopeCommented: true, envelopeLevel: '0', envelopeRole: '1', envelopeFollowers: true, envelopeDays: 1 } as const
const targeted = { envelopeKind: 'targeted', envelopePoints: '5' } as const
type Lone = [Name, Record<string, unknown>, EnvelopeFields]
const lone: Lone[] = [
  ...(['a topic', 'a question'] as const).flatMap((name): Lone[] => [
    [
      name,
      {},
      {
        ...conditions,
        envelopePoints: '5',
        envelopeCash: '5',
        envelopeQuantity: 2,
        envelopeGreeting: 'Hello',
        envelopeCover: 'tea',
        envelopeReceiver: 'Mei',
      },
    ],
    [name, targeted, { ...conditions, envelopeQuantity: 3 }],
    [name, random, { envelopeReceiver: 'Mei' }],
  ]),
  ['a profile', { envelopePoints: '5' }, { ...conditions, envelopeQuantity: 3, envelopeKind: 'random' }],
]

test.each(lone)('%s with %o refuses, at its field, each value that would be taken and ignored', async (name, wish, ignored) => {
  const who = await aGiver(forum, 1_000, 1_000)
  const before = await stateAfter(who)
  for (const [field, value] of Object.entries(ignored))
    for (const as of ['form', 'json'] as const)
      expect.soft([as, field, await refusedAt(name, { ...wish, [field]: value }, as, who)]).toEqual([as, field, [field]])
  expect(await stateAfter(who)).toEqual(before)
})

test('a quantity of one for one member, and an unticked box, are accepted', async () => {
  const wish = { ...targeted, envelopeReceiver: friend.account, envelopeQuantity: 1, envelopeCommented: false, envelopeDays: 0 }
  const who = await aGiver(forum)
  for (const name of names) expect(await refusedAt(name, wish, 'json', who)).toEqual([200, expect.anything()])
})

test('an amount and a number of shares are the same from any keyboard', async () => {
  const typed = { ...random, envelopePoints: '１０', envelopeQuantity: '\u3000５' }
  expect(await refusedAt('a topic', typed, 'form', await aGiver(forum))).toEqual([200, expect.anything()])
  const { amount, quantity } = await forum.database.app
    .selectFrom('red_envelope')
    .select(['amount', 'quantity'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect([amount, quantity]).toEqual(['10', 5])
})

const limits: [string, EnvelopeFields, string][] = [
  ['fewer points than shares', { ...random, envelopePoints: '4' }, 'envelopeQuantity'],
  ['fewer cents than shares', { ...random, envelopePoints: undefined, envelopeCash: '0.04' }, 'envelopeQuantity'],
  ['more shares than the site allows', { ...random, envelopeQuantity: 1_000 }, 'envelopeQuantity'],
  ['equal shares that are together above the most', { ...random, envelopeKind: 'fixed', envelopePoints: '5000' }, 'envelopePoints'],
  [
    'equal shares that are together beyond all numbers',
    { ...random, envelopeKind: 'fixed', envelopePoints: '999999999999', envelopeQuantity: 999 },
    'envelopePoints',
  ],
  ['more points than the site allows', { ...random, envelopePoints: '10001' }, 'envelopePoints'],
  ['more money than the site allows', { ...random, envelopePoints: undefined, envelopeCash: '200.01' }, 'envelopeCash'],
  ['points that the giver does not have', { ...random, envelopePoints: '1001' }, 'envelopePoints'],
  ['money that the giver does not have', { ...random, envelopePoints: undefined, envelopeCash: '10.01' }, 'envelopeCash'],
  ['points and money together', { ...random, envelopeCash: '1.00' }, 'envelopePoints'],
  ['neither points nor money', { ...random, envelopePoints: undefined }, 'envelopePoints'],
  ['one for nobody', { envelopeKind: 'targeted', envelopePoints: '50' }, 'envelopeReceiver'],
]

test.each(limits)('a topic with %s is refused beside the field, and neither it nor the envelope is there', async (_, wish, field) => {
  const before = await stateAfter()
  for (const name of ['a topic', 'a question'] as const)
    for (const as of ['form', 'json'] as const) expect(await refusedAt(name, wish, as)).toEqual([field])
  expect(await stateAfter()).toEqual(before)
})

test('a receiver who is oneself, disabled, blocking or blocked is refused at the name', async () => {
  const [out, blocks, blocked] = [await forum.member(), await forum.member(), await forum.member()]
  await chief.call(disableMember, { memberId: out.id, reason: 'Too loud' })
  await blocks.call(block, { userId: giver.id, way: 'blocked' })
  await giver.call(block, { userId: blocked.id, way: 'blocked' })
  const before = await stateAfter()
  for (const name of names)
    for (const { account } of [giver, out, blocks, blocked])
      expect(await refusedAt(name, { envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: account }, 'form')).toEqual([
        'envelopeReceiver',
      ])
  expect(await stateAfter()).toEqual(before)
})

test.each(wordActions)('a greeting with a word of a list is refused at its field: %s', async (action) => {
  const word = `zqword${action}`
  await aList(chief, action, word)
  const before = await stateAfter()
  for (const name of names) {
    const wish = { envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: friend.account, envelopeGreeting: `So ${word}!` }
    expect.soft([name, await refusedAt(name, wish, 'form')]).toEqual([name, ['envelopeGreeting']])
  }
  expect(await stateAfter()).toEqual(before)
})

test('a member banned from private messages gives an envelope on a profile only without a greeting', async () => {
  const banned = await aGiver(forum, 100, 0)
  await chief.call(banMember, { memberId: banned.id, from: ['message'], reason: 'They insult people' })
  const wish = { envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: friend.account }
  const greeted = { ...wish, envelopeGreeting: 'Once more' }
  const before = await stateAfter(banned)
  expect(await refusedAt('a profile', greeted, 'form', banned)).toEqual(['role'])
  expect(await stateAfter(banned)).toEqual(before)
  expect(await refusedAt('a profile', wish, 'form', banned)).toEqual([200, expect.anything()])
  expect(await refusedAt('a topic', greeted, 'form', banned)).toEqual([200, expect.anything()])
})

test('a failure after an envelope was taken returns it: question, bounty and envelope are one', async () => {
  const before = await stateAfter()
  expect(await refusedAt('a question', { ...random, bountyPoints: '951' }, 'form')).toEqual(['bountyPoints'])
  expect(await stateAfter()).toEqual(before)
})

test('no envelope is given while the books are frozen, and its topic waits in the form', async () => {
  const before = await stateAfter()
  await chief.call(freezeBooks, { reason: 'A look' })
  for (const name of names) expect.soft([name, await refusedAt(name, usualIn(name), 'form')]).toEqual([name, ['wallet']])
  await chief.call(thawBooks, { reason: 'All is well' })
  expect(await stateAfter()).toEqual(before)
})

test.each([
  ['where none are given', 'setting', () => withEnvelopes(forum, { allowRedEnvelopes: false })],
  ['who gave as many today as they may', 'envelopeKind', () => withEnvelopes(forum, { envelopesPerDay: 0 })],
  [
    'who is kept from spending',
    'role',
    (who: Person) => chief.call(banMember, { memberId: who.id, from: ['money'], reason: 'These points are not theirs' }),
  ],
] as const)('a member %s gives none, and publishes nothing by trying', async (_, field, begins) => {
  const who = await aGiver(forum, 1_000, 1_000)
  const before = await stateAfter(who)
  await begins(who)
  for (const name of names) expect.soft([name, await refusedAt(name, usualIn(name), 'form', who)]).toEqual([name, [field]])
  await withEnvelopes(forum, { allowRedEnvelopes: true, envelopesPerDay: 1_000 })
  expect(await stateAfter(who)).toEqual(before)
})
