import { setDevelopment } from '#base/server/development.ts'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { pino } from 'pino'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { ageAttempts } from '#base/testing/verification-codes.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { serve } from '#base/testing/fake-server.ts'
import { addComment } from '#comment/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { send } from '#message/contract.ts'
import * as contract from '#real-name/contract.ts'
import { anIdNumber } from '#real-name/testing/factories.ts'
import { jobs } from '#real-name/server/jobs.ts'
import * as realName from '#real-name/server/real-name.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum({ isOneServer: true })
const { app } = forum.database
const tagId = await aTag(forum.database)
const secret = 'a-secret-of-leaves'

type ReceivedRequest = { path: string; query: URLSearchParams; body: string; headers: Record<string, unknown> }
let answer: (request: ReceivedRequest) => unknown
let requests: ReceivedRequest[] = []
const elsewhere = await serve((address) => (request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', address)
    const one = { path, query, body, headers: request.headers }
    requests.push(one)
    const result = answer(one)
    response.writeHead(result === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(typeof result === 'string' ? result : JSON.stringify(result ?? {}))
  })
})
afterAll(elsewhere.close)

beforeEach(async () => {
  requests = []
  await ageAttempts(forum)
  await app.deleteFrom('real_name').execute()
  setDevelopment(true)
  await set({ realNameProvider: 'standIn', realNameForPosting: 'nobody', accountsPerPerson: 1 })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const claim = (more: Partial<RawInput<typeof contract.checkRealName>> = {}) =>
  ({ document: 'chineseId', name: '陈小茶', number: anIdNumber(), agrees: true, ...more }) as const

async function outcomeOf<E extends Endpoint>(who: Person, endpoint: E, input: RawInput<E>): Promise<string> {
  const { status, error } = await who.tryCall(endpoint, input)
  return status === 200 ? 'done' : `${status} ${JSON.stringify(error)}`
}

const yearsAgo = (years: number) => `${new Date().getFullYear() - years}0101`

test('a name and a number are checked, sealed, and shown to their owner with stars', async () => {
  const mei = await forum.member()
  await mei.call(contract.checkRealName, claim())
  const seen = await mei.call(contract.realName, {})
  expect(seen).toMatchObject({ asked: 'nobody', mayPost: true, documents: ['chineseId', 'other'] })
  expect(seen.checked).toMatchObject({ document: 'chineseId', name: '陈**', isMinor: false })
  expect(seen.checked?.number).toMatch(/^1\*{16}[\dX]$/)
  const row = await app.selectFrom('real_name').selectAll().executeTakeFirstOrThrow()
  const values = Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
  for (const part of [anIdNumber(), '1990', '陈']) expect(values.join(' ')).not.toContain(part)
  const plainHash = createHash('sha256').update(anIdNumber()).digest()
  expect(row.person_hash?.equals(plainHash)).toBe(false)
})

test.each([
  ['110101199003071230', 'a wrong last digit'],
  ['110101199002301234', 'a day that never was'],
  ['990101199003071234', 'a place that is none'],
  ['11010119900307123', 'too few digits'],
  ['not a number at all', 'no number'],
  [anIdNumber('20990101'), 'somebody who is not born yet'],
])('%s is refused before any check: %s', async (number) => {
  const mei = await forum.member()
  expect(await outcomeOf(mei, contract.checkRealName, claim({ number }))).toMatch(/422 .*"number"/)
  expect(await app.selectFrom('attempt').select('key').where('key', 'like', 'real name%').execute()).toEqual([])
})

test.each([[' １１０１０１ 19900307 0011 '.replace('0011', anIdNumber().slice(14))], [anIdNumber().toLowerCase()]])(
  '%s is one number with all its other spellings',
  async (number) => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    await mei.call(contract.checkRealName, claim({ number }))
    expect(await outcomeOf(tom, contract.checkRealName, claim())).toMatch(/another account/)
  },
)

test('an invalid name, and a missing consent, are refused at their fields', async () => {
  const mei = await forum.member()
  expect(await outcomeOf(mei, contract.checkRealName, claim({ name: 'Tea' }))).toMatch(/422 .*"name"/)
  expect(await outcomeOf(mei, contract.checkRealName, claim({ agrees: false }))).toMatch(/422 .*"agrees"/)
  expect(await outcomeOf(mei, contract.checkRealName, claim({ document: 'other', name: 'Ann Tea', number: 'X1234567' }))).toMatch(
    /"birthday"/,
  )
})

test('a person counts once, also of nine checks with one document at once, or as often as staff allow', async () => {
  const all = await Promise.all(Array.from({ length: 9 }, () => forum.member()))
  const outcomes = await Promise.all(all.map((who) => outcomeOf(who, contract.checkRealName, claim())))
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
  expect(outcomes.filter((one) => one.includes('another account'))).toHaveLength(8)
  await ageAttempts(forum)
  await set({ accountsPerPerson: 2 })
  expect(await outcomeOf(await forum.member(), contract.checkRealName, claim())).toBe('done')
  expect(await outcomeOf(await forum.member(), contract.checkRealName, claim())).toMatch(/another account/)
})

test('a member has five attempts a day; an unavailable check does not count', async () => {
  const mei = await forum.member()
  const tries = (name: string) => outcomeOf(mei, contract.checkRealName, claim({ name }))
  expect(await tries('远方')).toMatch(/^503/)
  for (let times = 0; times < 4; times++) expect(await tries('错错')).toMatch(/don’t match/)
  // Earlier attempts stay counted too.
  expect(await tries('远方')).toMatch(/^503/)
  expect(await tries('错错')).toMatch(/don’t match/)
  expect(await tries('陈小茶')).toMatch(/^429 .*24 hours/)
  expect(await app.selectFrom('real_name').selectAll().execute()).toEqual([])
})

test('the site asks for a phone or an identity before the first post, and the text survives another refusal', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, tagId)
  let comments = 0
  const comment = () => outcomeOf(mei, addComment, { topicId, body: says(`tea ${++comments}`) })
  const topic = () => outcomeOf(mei, publishTopic, { tagId, title: 'A pot of tea', body: says('and a cup') })
  await set({ realNameForPosting: 'phone' })
  expect(await comment()).toMatch(/422 .*"verifyFirst":"Add a phone/)
  expect(await topic()).toMatch(/verifyFirst/)
  const other = await forum.member()
  expect(await outcomeOf(mei, send, { userId: other.id, body: says('hello'), key: randomUUID() })).toMatch(/verifyFirst/)
  expect(await mei.call(contract.realName, {})).toMatchObject({ asked: 'phone', mayPost: false, phone: null })
  const bound = { member_id: mei.id, kind: 'phone' as const, address_hash: Buffer.from(mei.id), shown_as: '+86****0000' }
  await app.insertInto('contact').values(bound).execute()
  expect(await comment()).toBe('done')
  await set({ realNameForPosting: 'identity' })
  expect(await comment()).toMatch(/verifyFirst":"Verify your identity/)
  await mei.call(contract.checkRealName, claim())
  expect(await comment()).toBe('done')
  await app.deleteFrom('contact').where('member_id', '=', mei.id).execute()
  await set({ realNameForPosting: 'phone' })
  expect(await comment()).toBe('done')
})

test('staff cannot require an identity without a provider that checks it', async () => {
  const chief = await aStaffer(forum)
  await set({ realNameProvider: 'none' })
  expect(await chief.tryCall(changeSettings, { realNameForPosting: 'identity' })).toMatchObject({
    status: 422,
    error: { realNameForPosting: expect.any(String) },
  })
  // The stand-in verifies no member on a public forum.
  setDevelopment(false)
  expect(Object.keys((await chief.tryCall(changeSettings, { realNameForPosting: 'identity', realNameProvider: 'standIn' })).error)).toEqual(
    ['realNameForPosting'],
  )
  setDevelopment(true)
  const checker = { realNameProvider: 'webhook', realNameWebhookUrl: 'https://check.example.org/', realNameSecret: secret }
  await chief.call(changeSettings, { realNameForPosting: 'identity', ...checker })
  expect(await chief.tryCall(changeSettings, { realNameProvider: 'none' })).toMatchObject({ status: 422 })
})

test('Alibaba Cloud is asked, signed, and says whether they are one person', async () => {
  setDevelopment(false)
  realName.setEndpointForTests(`${elsewhere.address}/`)
  await set({ realNameProvider: 'aliyun', realNameKeyId: 'tea' })
  await transact(forum.database, (tx) => setting.changeSealed(tx, 'realNameSecret', secret, 'test'))
  const mei = await forum.member()
  answer = () => ({ Code: '200', Message: 'success', ResultObject: { BizCode: '2' } })
  expect(await outcomeOf(mei, contract.checkRealName, claim())).toMatch(/don’t match/)
  answer = () => ({ Code: '401', Message: 'wrong keys' })
  expect(await outcomeOf(mei, contract.checkRealName, claim())).toMatch(/^503/)
  answer = () => ({ Code: 200, Message: 'success', ResultObject: { BizCode: 1 } })
  await mei.call(contract.checkRealName, claim())
  const [one] = requests
  expect(Object.fromEntries(one?.query ?? [])).toEqual({ ParamType: 'normal', UserName: '陈小茶', IdentifyNum: anIdNumber() })
  expect(one?.headers).toMatchObject({ 'x-acs-action': 'Id2MetaVerify', 'x-acs-version': '2019-03-07' })
  expect(one?.headers['authorization']).toMatch(/^ACS3-HMAC-SHA256 Credential=tea,/)
  const tom = await forum.member()
  expect(await outcomeOf(tom, contract.checkRealName, claim({ document: 'other', birthday: '1990-01-01' }))).toMatch(
    /can’t be verified right now/,
  )
})

test('a server of the operator is trusted if its answer is signed and for this question', async () => {
  await set({ realNameProvider: 'webhook', realNameWebhookUrl: `${elsewhere.address}/check` })
  await transact(forum.database, (tx) => setting.changeSealed(tx, 'realNameSecret', secret, 'test'))
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const passport = claim({ document: 'other', name: 'Ann Tea', number: 'x 1234567', birthday: '1980-02-29' })
  const idOf = ({ body }: ReceivedRequest) => (JSON.parse(body) as { id: string }).id
  const lies: ((one: ReceivedRequest) => unknown)[] = [
    () => undefined,
    () => 'no JSON',
    () => ({ result: 'same' }),
    (one) => ({ id: idOf(one), result: 'same', signature: sign('another') }),
    () => ({ id: 'another', result: 'same', signature: sign('another.same') }),
    (one) => ({ id: idOf(one), result: 'same', signature: sign(`${idOf(one)}.different`) }),
  ]
  const mei = await forum.member()
  for (const lie of lies) {
    await app.deleteFrom('attempt').execute()
    answer = lie
    expect(await outcomeOf(mei, contract.checkRealName, passport)).toMatch(/^503/)
  }
  expect((await mei.call(contract.realName, {})).checked).toBeNull()
  answer = (one) => ({ id: idOf(one), result: 'same', signature: sign(`${idOf(one)}.same`) })
  await mei.call(contract.checkRealName, passport)
  const last = requests.at(-1)
  expect(JSON.parse(last?.body ?? '')).toMatchObject({ name: 'Ann Tea', number: 'X1234567', birthday: '1980-02-29', document: 'other' })
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(last?.headers['teahouse-signature'])) ?? []
  expect(signature).toBe(sign(`${seconds}.${last?.body}`))
  expect((await mei.call(contract.realName, {})).checked).toMatchObject({ name: 'A**', document: 'other' })
})

test('minors are known by their birthday, with caps by age; a minor who withdraws stays one until grown', async () => {
  await set({ maxChildCentsPerPayment: 1, maxChildCentsPerDay: 2, maxYouthCentsPerPayment: 3, maxYouthCentsPerDay: 4 })
  const capsAt = async (years: number) => {
    const who = await forum.member()
    await who.call(contract.checkRealName, claim({ number: anIdNumber(yearsAgo(years), years) }))
    return { who, caps: await realName.spendingCapsOf(app, who.id), seen: (await who.call(contract.realName, {})).checked?.isMinor }
  }
  expect(await capsAt(7)).toMatchObject({ caps: { onceCents: 0, dayCents: 0 }, seen: true })
  expect(await capsAt(12)).toMatchObject({ caps: { onceCents: 1, dayCents: 2 }, seen: true })
  expect(await capsAt(18)).toMatchObject({ caps: null, seen: false })
  const { who, caps } = await capsAt(16)
  expect(caps).toEqual({ onceCents: 3, dayCents: 4 })
  await who.call(contract.withdrawRealName, {})
  expect((await who.call(contract.realName, {})).checked).toBeNull()
  const row = await app.selectFrom('real_name').selectAll().where('member_id', '=', who.id).executeTakeFirstOrThrow()
  expect([row.name, row.number, row.person_hash]).toEqual([null, null, null])
  expect(await realName.spendingCapsOf(app, who.id)).toEqual(caps)
  expect(await outcomeOf(who, contract.withdrawRealName, {})).toMatch(/isn’t verified/)
  for (const job of jobs) await job.run({ database: forum.database, log: pino({ level: 'silent' }), dataDir: forum.dataDir }, {})
  expect(await realName.spendingCapsOf(app, who.id)).toEqual(caps)
})

test('a minor who withdrew is checked again by the proved birthday, and by no other until they are grown', async () => {
  const who = await forum.member()
  const own = claim({ number: anIdNumber(yearsAgo(16)) })
  await who.call(contract.checkRealName, own)
  const caps = await realName.spendingCapsOf(app, who.id)
  expect(caps).not.toBeNull()
  await who.call(contract.withdrawRealName, {})
  for (const number of [anIdNumber(), anIdNumber(yearsAgo(12))])
    expect(await outcomeOf(who, contract.checkRealName, claim({ number }))).toMatch(/422 .*"number":"[^"]*different date of birth/)
  expect(await realName.spendingCapsOf(app, who.id)).toEqual(caps)
  expect((await who.call(contract.realName, {})).checked).toBeNull()
  expect(await outcomeOf(who, contract.checkRealName, own)).toBe('done')
  expect(await realName.spendingCapsOf(app, who.id)).toEqual(caps)

  const grown = await forum.member()
  await grown.call(contract.checkRealName, claim({ number: anIdNumber(yearsAgo(19)) }))
  await withdrawn(grown)
  expect(await outcomeOf(grown, contract.checkRealName, claim())).toBe('done')
})

/** A member who withdrew as a minor, and is of age by now. */
async function withdrawn({ id }: Person): Promise<void> {
  const changes = { name: null, number: null, person_hash: null, slot: null, withdrawn_at: new Date() }
  await app.updateTable('real_name').set(changes).where('member_id', '=', id).execute()
}

test('an adult withdraws without a trace, and may be checked again, in another account too', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  await mei.call(contract.checkRealName, claim())
  expect(await outcomeOf(mei, contract.checkRealName, claim())).toMatch(/already verified/)
  await mei.call(contract.withdrawRealName, {})
  expect(await app.selectFrom('real_name').selectAll().execute()).toEqual([])
  expect(await outcomeOf(tom, contract.checkRealName, claim())).toBe('done')
})

test('a merge keeps one real name of the two members', async () => {
  const chief = await aStaffer(forum)
  const [old, mei] = [await forum.member(), await forum.member()]
  await old.call(contract.checkRealName, claim())
  const merge = { memberId: old.id, account: old.account, into: mei.account, reason: 'one and the same' }
  await chief.call(mergeMembers, merge)
  expect((await mei.call(contract.realName, {})).checked).toMatchObject({ name: '陈**' })
  expect(await app.selectFrom('real_name').select('member_id').execute()).toEqual([{ member_id: mei.id }])
})

const [child, youth, grown] = [anIdNumber(yearsAgo(12)), anIdNumber(yearsAgo(16)), anIdNumber()]
test.each([
  ['a minor who withdrew', 'one of whom nothing is known', [child, 'withdrawn'], null, 1],
  ['a minor who withdrew', 'one who is grown', [child, 'withdrawn'], [grown], 1],
  ['one who is grown', 'a minor who withdrew', [grown], [youth, 'withdrawn'], 2],
  ['a minor', 'one who is grown', [child], [grown], 1],
  ['a minor', 'an older one who withdrew', [child], [youth, 'withdrawn'], 1],
  ['a minor', 'a younger one', [youth], [child], 1],
] as const)('a merge of %s and %s keeps the younger birthday', async (_, __, its, own, onceCents) => {
  await set({ maxChildCentsPerPayment: 1, maxYouthCentsPerPayment: 2 })
  const chief = await aStaffer(forum)
  const [old, mei] = [await forum.member(), await forum.member()]
  for (const [who, what] of [
    [old, its],
    [mei, own],
  ] as const) {
    if (!what) continue
    await who.call(contract.checkRealName, claim({ number: what[0] }))
    if (what[1]) await who.call(contract.withdrawRealName, {})
  }
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: mei.account, reason: 'one and the same' })
  expect(await realName.spendingCapsOf(app, mei.id)).toMatchObject({ onceCents })
})

test('a merge of two checks with one birthday keeps the one not withdrawn', async () => {
  const chief = await aStaffer(forum)
  const [old, mei] = [await forum.member(), await forum.member()]
  await old.call(contract.checkRealName, claim({ number: child }))
  await mei.call(contract.checkRealName, claim({ number: anIdNumber(yearsAgo(12), 2) }))
  await mei.call(contract.withdrawRealName, {})
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: mei.account, reason: 'one and the same' })
  expect((await mei.call(contract.realName, {})).checked).toMatchObject({ isMinor: true })
})

test('a stand-in checks no one outside development, and visitors are asked to log in', async () => {
  setDevelopment(false)
  realName.setEndpointForTests(undefined)
  const mei = await forum.member()
  expect((await mei.call(contract.realName, {})).documents).toEqual([])
  expect(await outcomeOf(mei, contract.checkRealName, claim())).toMatch(/can’t be verified right now/)
  for (const [endpoint, input] of [
    [contract.realName, {}],
    [contract.checkRealName, claim()],
    [contract.withdrawRealName, {}],
  ] as const)
    expect((await forum.visitor().tryCall(endpoint, input as never)).status).toBe(401)
})
