import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { refreshToken } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { until } from '#base/testing/waits.ts'
import { addComment, listComments } from '#comment/contract.ts'
import * as role from '#role/server/role.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editableProfile, editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum({ isOneServer: true })
const { app } = forum.database
const statusOf = async (who: Person) => (await who.tryCall(editableProfile, {})).status
const end = (who: Person) => sql`update session set ended_at = now(), ended_because = 'logged out' where member_id = ${who.id}`.execute(app)

afterEach(() => vi.useRealTimers())

test('a session is cached for some seconds in reads, until it is invalidated; a write checks it again', async () => {
  const mei = await forum.member()
  expect(await statusOf(mei)).toBe(200)
  await end(mei)
  expect(await statusOf(mei)).toBe(200)
  expect((await mei.tryCall(addComment, { topicId: '1', body: says('Still here') })).status).toBe(401)
  await transact(forum.database, async (tx) => invalidate(tx, `sessions:${mei.id}`))
  expect(await statusOf(mei)).toBe(401)
})

test('a token that was exchanged for another is known no more', async () => {
  const mei = await forum.member()
  const before = mei.pair
  expect(await statusOf(mei)).toBe(200)
  const after = await mei.call(refreshToken, {})
  expect(await statusOf(mei)).toBe(401)
  mei.pair = after as typeof before
  expect(await statusOf(mei)).toBe(200)
})

test('a right that comes by a role ends in the moment the role does', async () => {
  const [mei, lin] = [await forum.member(), await forum.member()]
  const { tagId, roleId, admit } = await aClosedTag(forum.database)
  await admit(mei.id)
  const topicId = await aTopic(mei, tagId)
  const read = async () => (await lin.tryCall(thread, { topicId })).status
  vi.useFakeTimers({ toFake: ['performance'] })
  // On a busy machine the role may end before the first read.
  await until(async () => {
    const endsAt = new Date(Date.now() + 5_000)
    await transact(forum.database, (tx) => role.setRoles(tx, lin.id, [{ roleId, endsAt }]))
    return (await read()) === 200
  })
  await sql`update role_holding set during = tstzrange(lower(during), now(), '[)') where member_id = ${lin.id}`.execute(app)
  expect(await read()).toBe(200)
  vi.advanceTimersByTime(5_000)
  expect(await read()).toBe(403)
})

test('a cached answer is refused to a member once the role or the session is gone', async () => {
  const [mei, lin, tom] = [await forum.member(), await forum.member(), await forum.member()]
  const { tagId, admit } = await aClosedTag(forum.database)
  for (const { id } of [mei, lin]) await admit(id)
  const topicId = await aTopic(mei, tagId)
  const read = async (who: Pick<Person, 'tryCall'>) => (await who.tryCall(thread, { topicId })).status
  const everyone = async () => [await read(mei), await read(lin), await read(tom), await read(forum.visitor())]
  expect([await everyone(), await everyone(), await everyone()]).toEqual([1, 2, 3].map(() => [200, 200, 403, 403]))
  await transact(forum.database, (tx) => role.setRoles(tx, lin.id, []))
  expect(await everyone()).toEqual([200, 403, 403, 403])
  await end(mei)
  await transact(forum.database, async (tx) => invalidate(tx, `sessions:${mei.id}`))
  expect(await everyone()).toEqual([401, 403, 403, 403])
})

test('a closed site answers neither visitors nor members from its caches', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  const read = async (who: Pick<Person, 'tryCall'>) => (await who.tryCall(thread, { topicId })).status
  const both = async () => [await read(mei), await read(forum.visitor())]
  expect([await both(), await both()]).toEqual([
    [200, 200],
    [200, 200],
  ])
  const chief = await aStaffer(forum)
  await chief.call(changeSettings, { siteState: 'closed' })
  expect([await both(), await both()]).toEqual([
    [503, 503],
    [503, 503],
  ])
  await chief.call(changeSettings, { siteState: 'open' })
  expect(await both()).toEqual([200, 200])
})

test('an author is shown by the current name, beside cached posts too', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, await aTag(forum.database))
  await mei.call(addComment, { topicId, body: says('First') })
  const names = async () => (await forum.visitor().call(listComments, { topicId })).comments.map(({ author }) => author?.name)
  for (const nickname of ['Mei of the Well', 'Mei of the Hill']) {
    await mei.call(editProfile, { nickname, showsActivity: true })
    expect(await names()).toEqual([nickname])
  }
})
