import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { payScheduled } from '#red-envelope/server/pay.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let giver: Person
let tagId = ''
let readers: Person[] = []

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  giver = await forum.member()
  await endow(forum.database, giver.id, 1_000)
  readers = await Promise.all(Array.from({ length: 24 }, () => forum.member()))
})

async function anEnvelope(shares: number): Promise<{ id: string; topicId: string }> {
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '1', envelopeQuantity: shares })
  return { id: await envelopeOf(forum, body.topicId), topicId: body.topicId }
}

const opens = async (who: Person, envelopeId: string, key = newIdempotencyKey()) =>
  (await who.tryCall(openEnvelope, { envelopeId }, key)).status

const keys = () => forum.database.app.selectFrom('idempotency_key').select('state').where('route', '=', openEnvelope.path).execute()

/** Runs an action in a transaction that is left uncommitted. */
async function runUncommitted(action: (tx: Db) => Promise<unknown>) {
  const [completion, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const undone = transact(forum.database, async (tx) => {
    await action(tx)
    completion.resolve()
    await end.promise
  }).catch((error: unknown) => completion.reject(error))
  await completion.promise
  return {
    async undo() {
      end.reject(new Error('It is undone'))
      await undone
    },
  }
}

async function somebodyWaits(at: string): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${at}%`}`
  await expect.poll(async () => (await waiting.execute(forum.database.app)).rows.length).toBeGreaterThan(0)
}

test('an opening that comes too late, at once or afterwards, leaves no idempotency key', async () => {
  const { id } = await anEnvelope(5)
  const before = await keys()
  const all = await Promise.all(readers.map((who) => opens(who, id)))
  expect(all.toSorted()).toEqual([...Array.from({ length: 5 }, () => 200), ...Array.from({ length: 19 }, () => 409)])
  for (const [place, who] of readers.entries()) expect(await opens(who, id)).toBe(all[place])
  expect((await keys()).length - before.length).toBe(5 + 5)
})

test('an empty envelope answers its opener with the share, and all others with their first obstacle', async () => {
  const { id, topicId } = await anEnvelope(1)
  const [mei, bo, ada] = readers
  if (!mei || !bo || !ada) return
  const key = newIdempotencyKey()
  expect(await opens(mei, id, key)).toBe(200)
  expect([await opens(bo, id), await opens(ada, id)]).toEqual([409, 409])
  expect([await opens(mei, id, key), await opens(mei, id), await opens(giver, id), await opens(bo, id)]).toEqual([200, 200, 403, 409])
  await giver.call(removeTopic, { topicId })
  expect([await opens(mei, id, key), await opens(mei, id), await opens(bo, id)]).toEqual([200, 404, 404])
})

test('the last share goes to one of many waiting openings, when its claim is rolled back', async () => {
  const { id } = await anEnvelope(1)
  const [mei, ...others] = readers
  const claiming = await runUncommitted((tx) => sql`select from claim_red_envelope(${id}, ${mei?.id})`.execute(tx))
  const all = others.map((who) => opens(who, id))
  await somebodyWaits('claim_red_envelope')
  await claiming.undo()
  expect((await Promise.all(all)).toSorted()).toEqual([200, ...Array.from({ length: others.length - 1 }, () => 409)])
})

test('a claim with a slow commit is paid afterwards all the same', async () => {
  const { id } = await anEnvelope(2)
  const [mei] = readers
  if (!mei) return
  const key = newIdempotencyKey()
  const noting = await runUncommitted((tx) =>
    sql`insert into idempotency_key (asker, key, route, body_hash) values (${`member ${mei.id}`}, ${key['idempotency-key']}, '', '')`.execute(
      tx,
    ),
  )
  const opening = opens(mei, id, key)
  await somebodyWaits('idempotency_key')
  for (let round = 0; round < 3; round++) await payScheduled(forum.database)
  await noting.undo()
  expect(await opening).toBe(200)
  await payScheduled(forum.database)
  const row = await forum.database.app.selectFrom('red_envelope').select('paid').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ paid: 1 })
})
