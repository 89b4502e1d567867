import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { claimSeal } from '#red-envelope/server/seal.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

/** A database that ends no statement for its time, however long the test takes. */
async function patientDatabase(): Promise<TestDatabase> {
  const { ownerUrl, close } = await freshDatabase()
  const statementTimeoutsMs = { app: 600_000, reader: 600_000 }
  const options = { features, size: 12, minSize: 0, onLost: () => undefined, statementTimeoutsMs }
  const database = openDatabase(addressesOf(ownerUrl), options)
  return { database, ownerUrl, close: () => database.close().then(close) }
}

test('claims that wait for their turn take no connection from others, and one that waited too long may be made again', async () => {
  const forum = await aForum({ isOneServer: true, fresh: patientDatabase })
  const [giver, winner, ...others] = (await Promise.all(Array.from({ length: 22 }, () => forum.member()))) as [Person, Person, ...Person[]]
  await endow(forum.database, giver.id, 1_000)
  const { body } = await gives(giver, await aTag(forum.database), { envelopeKind: 'fixed', envelopePoints: '1', envelopeQuantity: 1 })
  const envelopeId = await envelopeOf(forum, body.topicId)
  const claims = others.map((who) => ({ who, key: newIdempotencyKey() }))
  const open = async ({ who, key }: (typeof claims)[number]) => (await who.tryCall(openEnvelope, { envelopeId }, key)).status

  const [hasClaimed, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const claiming = transact(forum.database, async (tx) => {
    await sql`select from claim_red_envelope(${envelopeId}, ${winner.id}, ${claimSeal(envelopeId, winner.id)})`.execute(tx)
    hasClaimed.resolve()
    await mayCommit.promise
  })
  onTestFinished(() => mayCommit.resolve())
  await hasClaimed.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const answers = Promise.all(claims.map(open))
  await untilLockWaits(forum.database.app, 8)
  vi.advanceTimersByTime(14_000)
  await giver.call(envelope, { envelopeId })
  expect(forum.database.pools().map(({ total, idle, waiting }) => total - idle + waiting)).toEqual([9, 0])
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  mayCommit.resolve()
  await claiming
  expect((await answers).toSorted()).toEqual([...Array(8).fill(409), ...Array(12).fill(503)])
  expect(await Promise.all(claims.map(open))).toEqual(Array(20).fill(409))
})
