import { beforeEach, expect, test } from 'vitest'
import { ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import * as contract from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith } from '#writing/testing/factories.ts'

const forum = await aForum()
const { app } = forum.database
const tagId = await aTag(forum.database)

beforeEach(() => ageAttempts(forum))

async function aHiddenPart(): Promise<{ topicId: string; partId: string }> {
  const topicId = await aTopic(await forum.member(), tagId, { body: documentWith(hides('password', 'sesame', 'the cave')) })
  return { topicId, partId: partIds((await forum.visitor().call(topic.thread, { topicId })).segments)[0] ?? '' }
}

const tries = async (who: Person, partId: string, password = 'barley') =>
  (await who.tryCall(contract.unlockPart, { partId, password })).status
const opens = (who: Person, partId: string) => tries(who, partId, 'sesame')

async function members(many: number, ip?: string): Promise<Person[]> {
  const all = await Promise.all(Array.from({ length: many }, () => forum.member()))
  return ip === undefined ? all : all.map((one) => Object.assign(one, { ip }))
}

/** Adds earlier guesses of other members. */
async function addGuesses(key: string, times: number): Promise<void> {
  await app
    .insertInto('attempt')
    .values(Array.from({ length: times }, () => ({ key })))
    .execute()
}

test('many members of one network cannot guess without end, and the first tries of others stay free', async () => {
  const { partId } = await aHiddenPart()
  const all = await members(12, '198.51.100.40')
  const statuses: number[] = []
  for (const one of all) for (let n = 0; n < 5; n++) statuses.push(await tries(one, partId))
  // Four members with five tries each exhaust the shared limit; each of the others has two.
  expect(statuses.filter((status) => status === 422)).toHaveLength(4 * 5 + 8 * 2)
  const [neighbour] = (await members(1, '198.51.100.40')) as [Person]
  expect(await opens(neighbour, partId)).toBe(200)
  const [elsewhere] = (await members(1)) as [Person]
  for (const status of [422, 422, 422, 422]) expect(await tries(elsewhere, partId)).toBe(status)
})

test('simultaneous guesses are counted all the same', async () => {
  const { partId } = await aHiddenPart()
  const all = await members(12, '198.51.100.41')
  const statuses = await Promise.all(all.flatMap((one) => Array.from({ length: 5 }, () => tries(one, partId))))
  const compared = statuses.filter((status) => status === 422).length
  expect(compared).toBeGreaterThanOrEqual(24)
  expect(compared).toBeLessThanOrEqual(20 + 24)
})

test('many guesses at one topic limit every member to two tries, in any network, and keep no member out', async () => {
  const { topicId, partId } = await aHiddenPart()
  await addGuesses(`hidden part ${topicId}`, 100)
  const [one, two] = (await members(2)) as [Person, Person]
  expect([await tries(one, partId), await tries(one, partId), await opens(one, partId)]).toEqual([422, 422, 429])
  expect([await tries(two, partId), await opens(two, partId)]).toEqual([422, 200])
  const other = await aHiddenPart()
  expect([await tries(one, other.partId), await tries(one, other.partId), await opens(one, other.partId)]).toEqual([422, 422, 200])
})

test('right passwords use up no tries of others', async () => {
  const { partId } = await aHiddenPart()
  for (const one of await members(30, '198.51.100.42')) expect(await opens(one, partId)).toBe(200)
  const rows = await app.selectFrom('attempt').select('key').where('key', 'like', 'hidden part %').execute()
  expect(rows).toEqual([])
})

test('a member cannot guess at topic after topic without end', async () => {
  const { partId } = await aHiddenPart()
  const [one] = (await members(1)) as [Person]
  await addGuesses(`hidden part member ${one.id}`, 100)
  expect(await opens(one, partId)).toBe(429)
})

test('a member limited by the guesses of others is told when to try again, and has lost no try of their own', async () => {
  const { topicId, partId } = await aHiddenPart()
  const [one] = (await members(1)) as [Person]
  expect([await tries(one, partId), await tries(one, partId)]).toEqual([422, 422])
  await addGuesses(`hidden part ${topicId}`, 100)
  for (let n = 0; n < 8; n++) {
    const { status, error, response } = await one.tryCall(contract.unlockPart, { partId, password: 'sesame' })
    expect([status, error['password']]).toEqual([429, expect.stringMatching(/including by others/)])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(60)
  }
  await ageAttempts(forum)
  expect(await opens(one, partId)).toBe(200)
})
