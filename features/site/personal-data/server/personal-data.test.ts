import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contact from '#contact/server/contact.ts'
import { fileKeys } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { hides } from '#hidden-part/testing/factories.ts'
import { aMessage, saidBetween, talking } from '#message/testing/factories.ts'
import { systemNotifyList } from '#notification/contract.ts'
import * as contract from '#personal-data/contract.ts'
import { features } from '#apps/server/features.ts'
import { collect } from '#base/server/feature.ts'
import { unzipped } from '#personal-data/testing/factories.ts'
import { jobs } from '#personal-data/server/jobs.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'

const archive = collect(features, 'archive')

let forum: Forum
let tagId: string
let [mei, tom] = [] as unknown as [Person, Person]

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  ;[mei, tom] = [await forum.member('mei_of_tea'), await forum.member('tom_of_cups')]
})

async function make(): Promise<void> {
  for (const job of jobs) await job.run({ database: forum.database, dataDir: forum.dataDir, log: pino({ level: 'silent' }) }, {})
}

const downloadsOf = async (who: Person) => (await who.call(contract.personalData, {})).downloads
const aDayLater = (who: Person) =>
  sql`update data_download set asked_at = asked_at - interval '25 hours' where member_id = ${who.id}`.execute(forum.database.app)

async function fetched(who: Visitor, file: string): Promise<{ status: number; bytes: Buffer }> {
  const { body } = await who.tryCall(contract.openData, { file })
  const answer = await forum.app.inject({ url: body.address ?? `/file/${file}?key=none` })
  return { status: answer.statusCode, bytes: answer.rawPayload }
}

async function dataOf(who: Person): Promise<Map<string, Buffer>> {
  await who.call(contract.askForData, {})
  await make()
  const [newest] = await downloadsOf(who)
  return unzipped((await fetched(who, newest?.files[0]?.file ?? '')).bytes)
}

/** A member with an e-mail address, whose data is ready. */
async function oneWithData(account: string): Promise<Person> {
  const member = await forum.member(account)
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: `${account}@example.org` }))
  await dataOf(member)
  return member
}

test('the ledger in a member’s archive has their own holds, and none of others', async () => {
  const [holder, other] = [await forum.member(), await forum.member()]
  await endow(forum.database, other.id, 1_000)
  await endow(forum.database, holder.id, 1_000)
  const holds = async (from: string, amount: number) => {
    const cause = { kind: freeKinds.hold, source: `held:${from}:${amount}`, by: { kind: 'forum' } } as const
    return transact(forum.database, (tx) => wallet.hold(tx, { ...cause, from, currency: 'points', amount: toMinor(amount) }))
  }
  // A hold has a number as a member has one; some of these have the same.
  let holdId = 0n
  for (let amount = 1; holdId < BigInt(holder.id); amount++) holdId = BigInt(await holds(other.id, amount))
  await holds(holder.id, 77)
  const ledger = JSON.parse((await dataOf(holder)).get('ledger.json')?.toString() ?? '[]')
  const amounts = ledger.map(({ account, amount }: { account: string; amount: string }) => `${account} ${amount}`)
  expect(amounts.toSorted()).toEqual(['escrow 77', 'member -77', 'member 1000'])
})

test('a member gets all their data, their files among it, and no private data of others', async () => {
  const upload = (await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file as string
  const body = documentWith(paragraph({ type: 'text', text: 'How I brew' }), picture(upload))
  const topicId = await aTopic(mei, tagId, { title: 'Brewing', body })
  await mei.call(editTopic, { topicId, title: 'Brewing well', body: says('How I brew now'), aiGenerated: true })
  await endow(forum.database, mei.id, 300)
  const commentId = await aComment(tom, topicId, { body: says('A remark of Tom') })
  await aReply(mei, commentId, { body: says('A reply of Mei') })
  await talking(mei, tom)
  await aMessage(mei, tom, 'Come over for tea')
  const bo = await forum.member()
  await talking(tom, bo)
  await aMessage(bo, tom, 'Between Bo and Tom')
  await transact(forum.database, (tx) => contact.bind(tx, mei.id, { kind: 'email', address: 'mei@example.org' }))

  const data = await dataOf(mei)
  const read = (name: string) => JSON.parse(data.get(`${name}.json`)?.toString() ?? 'null')
  for (const { name } of archive) expect(read(name), name).toBeDefined()
  expect(read('profile')).toMatchObject([{ account: 'mei_of_tea', hintQuestion: 'Which tea in the morning?' }])
  expect(read('contacts')).toEqual([{ kind: 'email', address: 'mei@example.org' }])
  expect(read('versions-of-topics')).toMatchObject([{ postId: topicId, aiLabel: null }])
  expect(read('topics')).toMatchObject([{ id: topicId, title: 'Brewing well', aiLabel: 'author', tagEn: expect.any(String) }])
  expect(read('versions-of-topics')).toMatchObject([{ postId: topicId, title: 'Brewing' }])
  expect(read('replies')).toMatchObject([{ commentId, text: 'A reply of Mei' }])
  expect(read('messages').map(({ text }: { text: string }) => text)).toEqual(['Good morning', 'Come over for tea'])
  expect(read('sessions')).toMatchObject([{ device: 'test' }])
  expect(read('ledger').some(({ amount }: { amount: string }) => amount === '300' || amount === '30000')).toBe(true)
  expect(data.get(`files/${upload}.webp`)?.subarray(8, 12).toString()).toBe('WEBP')
  const all = [...data.values()].map((bytes) => bytes.toString()).join('\n')
  for (const others of ['A remark of Tom', 'Between Bo and Tom', 'password', 'argon2', 'tom@'])
    expect(all.includes(others), others).toBe(false)
  expect(await saidBetween(mei, tom)).toHaveLength(2)
})

test('a member’s own hidden parts are in it, and those of others are not', async () => {
  const lock = 'points'
  const bo = await forum.member()
  const topicId = await aTopic(bo, tagId, {
    body: documentWith(paragraph({ type: 'text', text: 'Open' }), hides(lock, '5', 'My own secret')),
  })
  const other = documentWith(paragraph({ type: 'text', text: 'Open' }), hides(lock, '5', 'A secret of Tom'))
  await aComment(bo, await aTopic(tom, tagId, { body: other }))
  const data = await dataOf(bo)
  const topics = data.get('topics.json')?.toString() ?? ''
  expect(topics).toContain(topicId)
  expect(topics).toContain('My own secret')
  expect([...data.values()].join('\n')).not.toContain('A secret of Tom')
})

test('an archive opens to its owner alone: not to others, visitors or staff, and shows in no post', async () => {
  const owner = await oneWithData('may_of_tea')
  const [download] = await downloadsOf(owner)
  const file = download?.files[0]?.file ?? ''
  expect((await fetched(owner, file)).status).toBe(200)
  expect((await fetched(tom, file)).status).toBe(404)
  expect((await fetched(forum.visitor(), file)).status).toBe(404)
  const chief = await aStaffer(forum)
  expect((await fetched(chief, file)).status).toBe(404)
  expect((await forum.app.inject({ url: `/file/${file}` })).statusCode).toBe(404)
  expect((await owner.call(fileKeys, { files: [file] })).keys).toEqual([])
  const body = documentWith({ type: 'file', attrs: { file, name: 'mine.zip', bytes: 8 } })
  await expect(aTopic(owner, tagId, { body })).rejects.toThrow('422')
})

test('a member is notified when it is ready, in the forum and by e-mail; it can be asked for once a day', async () => {
  const sent = () => forum.database.app.selectFrom('delivery').select(['template', 'shown_as']).orderBy('id').execute()
  const before = await sent()
  const owner = await oneWithData('mia_of_tea')
  const { notices } = await owner.call(systemNotifyList, {})
  expect(notices.map(({ says: { kind } }) => kind)).toContain('dataReady')
  expect((await sent()).slice(before.length)).toEqual([{ template: 'dataReady', shown_as: 'm***@example.org' }])
  expect(await owner.isRefused(contract.askForData, {}, contract.AskedToday)).toBe(true)
  await aDayLater(owner)
  expect((await owner.call(contract.personalData, {})).mayAskAt).toBe(null)
  const tries = await Promise.all(Array.from({ length: 4 }, () => owner.tryCall(contract.askForData, {})))
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429])
  await make()
})

test('a session without a recent proof neither asks nor downloads', async () => {
  const bo = await forum.member()
  const data = await dataOf(bo)
  expect(data.size).toBeGreaterThan(archive.length)
  await aDayLater(bo)
  const file = (await downloadsOf(bo))[0]?.files[0]?.file ?? ''
  await sql`update session set started_at = now() - interval '1 hour' where member_id = ${bo.id}`.execute(forum.database.app)
  expect((await bo.tryCall(contract.askForData, {})).status).toBe(428)
  expect((await fetched(bo, file)).status).toBe(404)
})

test('a download is gone after a week', async () => {
  const owner = await oneWithData('mim_of_tea')
  const files = (await downloadsOf(owner)).flatMap((one) => one.files.map(({ file }) => file))
  expect(files.length).toBeGreaterThan(0)
  await sql`update data_download set expires_at = now() - interval '1 minute' where member_id = ${owner.id}`.execute(forum.database.app)
  expect(await downloadsOf(owner)).toEqual([])
  await make()
  for (const file of files) expect((await fetched(owner, file)).status).toBe(404)
  const stored = readdirSync(join(forum.dataDir, 'files'), { recursive: true }).map(String)
  expect(stored.filter((name) => files.some((file) => name.includes(file)))).toEqual([])
})

test('a killed archive job runs again; two at once make it once; one that keeps failing is given up and may be asked for again', async () => {
  const bo = await forum.member()
  await bo.call(contract.askForData, {})
  const { app } = forum.database
  await sql`update data_download set begun_at = now() - interval '3 hours', tries = 1 where member_id = ${bo.id}`.execute(app)
  const { id } = await app.selectFrom('data_download').select('id').where('member_id', '=', bo.id).executeTakeFirstOrThrow()
  mkdirSync(join(forum.dataDir, 'personal-data', id), { recursive: true })
  writeFileSync(join(forum.dataDir, 'personal-data', id, '1.zip'), 'half of it')
  await Promise.all([make(), make()])
  expect((await downloadsOf(bo)).map(({ state, files }) => [state, files.length])).toEqual([['ready', 1]])
  expect(readdirSync(join(forum.dataDir, 'personal-data'))).toEqual([])

  await aDayLater(bo)
  await bo.call(contract.askForData, {})
  await transact(forum.database, (tx) => contact.bind(tx, bo.id, { kind: 'email', address: 'bo@example.org' }))
  await sql`update contact set address = 'broken'::bytea where member_id = ${bo.id}`.execute(app)
  for (let run = 0; run < 6; run++) {
    await make()
    await sql`update data_download set begun_at = null where state = 'waiting'`.execute(app)
  }
  expect((await downloadsOf(bo))[0]?.state).toBe('failed')
  await bo.call(contract.askForData, {})
})

test('visitors have nothing to ask for', async () => {
  expect((await forum.visitor().tryCall(contract.personalData, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(contract.askForData, {})).status).toBe(401)
})
