import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { startForums } from '#base/testing/forums.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { refundMembershipOrder } from '#membership/order-contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import * as role from '#role/server/role.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

// Two servers in separate processes, on one database.
const forum = await aForum({ fresh: freshDatabase })
const start = () => startForums({ addresses: [addressesOf(forum.ownerUrl)], folder: forum.dataDir, listens: true })
const servers = await Promise.all([start(), start()])
const author = await forum.member()
const { tagId, roleId, admit } = await aClosedTag(forum.database)
await admit(author.id)
const topicId = await aTopic(author, tagId)
let mei: Person

beforeEach(async () => {
  mei = await forum.member()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  for (const server of servers) await server.kill()
})

/** Each server's status for a topic that only the role may see. */
async function seen(): Promise<number[]> {
  const ask = ({ ports }: { ports: readonly number[] }) =>
    fetch(`http://127.0.0.1:${ports[0]}/api${thread.path}?topicId=${topicId}`, { headers: mei.headers('GET') })
  const answers = await Promise.all(servers.map(ask))
  return answers.map(({ status }) => status)
}

/** Gives them the role for so many seconds. On a busy machine it may end before it is seen, and is given anew. */
async function holdsFor(seconds: number, isSeen: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ end: Date }>`select clock_timestamp() + make_interval(secs => ${seconds}) as end`.execute(
      forum.database.app,
    )
    await transact(forum.database, (tx) => role.setRoles(tx, mei.id, [{ roleId, endsAt: rows[0]?.end ?? null }]))
    return isSeen()
  })
}

/** Resolves one second after a role of theirs has ended. */
async function isOver(): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ isOver: boolean }>`
      select upper(during) + interval '1 second' < clock_timestamp() as "isOver" from role_holding where member_id = ${mei.id}`.execute(
      forum.database.app,
    )
    return rows[0]?.isOver
  })
}

test('a role that ends ends on every server, even with cached rights', async () => {
  expect(await seen()).toEqual([403, 403])
  await holdsFor(8, async () => (await seen()).every((status) => status === 200))
  await isOver()
  expect(await seen()).toEqual([403, 403])
})

test('it ends by the clock of the database, even on a server whose clock is behind', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  const read = async () => (await mei.tryCall(thread, { topicId })).status
  await holdsFor(4, async () => (await read()) === 200)
  await isOver()
  expect(await read()).toBe(403)
})

test('a bought role is there on every server, and a refunded one is gone', async () => {
  const hand = await aStaffer(forum, ['membership.refund'])
  const { ids } = await aCard(forum.database, roleId, [{ points: 10 }])
  await endow(forum.database, mei.id, 10)
  expect(await seen()).toEqual([403, 403])
  const { body, status } = await buys(mei, ids[0] ?? '', { points: '10' })
  expect(status).toBe(200)
  await until(async () => (await seen()).every((status) => status === 200))
  await hand.call(refundMembershipOrder, { orderId: body.orderId, reason: 'It was wrong' }, newIdempotencyKey())
  await until(async () => (await seen()).every((status) => status === 403))
})
