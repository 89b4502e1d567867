import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import { removeTopicAsStaff } from '#content/contract.ts'
import { aGiver, envelopeOf, letEnd, opens, payClaims, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { stopEnvelope } from '#red-envelope/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'

// Claims that wait for a lock, and what they are told once they have it.
let forum: Forum
let owner: pg.Client
let chief: Staffer
let tagId = ''
const reason = 'It looks like a lottery'
const ended = 'This red envelope has ended, and what was left has been returned.'
const empty = 'All shares have been opened.'

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
})
afterEach(async () => {
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(`The books are not right: ${JSON.stringify(breaches)}`)
})
afterAll(() => owner.end())

async function anEnvelope(quantity: number): Promise<{ topicId: string; envelopeId: string }> {
  const giver = await aGiver(forum)
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: quantity })
  return { topicId: body.topicId, envelopeId: await envelopeOf(forum, body.topicId) }
}

/** Runs an action of staff up to its entry in the audit log, which it writes last, then another call that waits for it, then lets both go on. */
async function meanwhile<T>(action: () => Promise<{ status: number }>, call: () => Promise<T>): Promise<T> {
  await owner.query('begin; select from audit_log_head for update')
  const acting = action()
  await untilLockWaits(forum.database.app)
  const calling = call()
  await untilLockWaits(forum.database.app, 2)
  await owner.query('commit')
  expect((await acting).status).toBe(200)
  return calling
}

const stop = (envelopeId: string) => chief.tryCall(stopEnvelope, { envelopeId, reason }, newIdempotencyKey())

test.each([1, 3])('a claim that loses to a stop is refused as ended: %i shares', async (quantity) => {
  const { envelopeId } = await anEnvelope(quantity)
  const tom = await forum.member()
  const { status, error } = await meanwhile(
    () => stop(envelopeId),
    () => opens(tom, envelopeId),
  )
  expect([status, error]).toEqual([409, { redEnvelope: ended }])
  expect(await opens(await forum.member(), envelopeId)).toMatchObject({ status: 409, error: { redEnvelope: ended } })
})

test('a claim that loses to the removal of its topic finds nothing there', async () => {
  const { topicId, envelopeId } = await anEnvelope(2)
  const tom = await forum.member()
  const { status } = await meanwhile(
    () => chief.tryCall(removeTopicAsStaff, { topicId, reason }),
    () => opens(tom, envelopeId),
  )
  expect(status).toBe(404)
})

test('many openings that wait for a stop are all told that the envelope has ended', async () => {
  const { envelopeId } = await anEnvelope(3)
  const people: Person[] = await Promise.all(Array.from({ length: 12 }, () => forum.member()))
  const answers = await meanwhile(
    () => stop(envelopeId),
    () => Promise.all(people.map((who) => opens(who, envelopeId))),
  )
  expect(answers.map(({ status, error }) => [status, error])).toEqual(people.map(() => [409, { redEnvelope: ended }]))
})

test('an envelope of which all is opened is empty, also when its time is over before the last share is paid', async () => {
  const { envelopeId } = await anEnvelope(1)
  const [tom, mei] = [await forum.member(), await forum.member()]
  expect((await opens(tom, envelopeId)).status).toBe(200)
  await owner.query("update red_envelope set ends_at = clock_timestamp() - interval '1 second' where id = $1", [envelopeId])
  expect(await opens(mei, envelopeId)).toMatchObject({ status: 409, error: { redEnvelope: empty } })
  await letEnd(forum, envelopeId)
  expect(await opens(mei, envelopeId)).toMatchObject({ status: 409, error: { redEnvelope: empty } })
})
