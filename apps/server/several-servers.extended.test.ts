import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import type { Endpoint, RawInput, Output } from '#base/contract.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { listenerName } from '#base/server/cache/invalidation.ts'
import { readYourWritesCookie } from '#base/server/http/secret-cookies.ts'
import { aForum } from '#base/testing/forum.ts'
import { startForums } from '#base/testing/forums.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { addComment, remarkSource, editRemark, listComments } from '#comment/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { banMember, liftBan } from '#member/contract.ts'
import { conversation, send as sendMessage } from '#message/contract.ts'
import { baseInfo } from '#setting/contract.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { seenTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

// Two servers in processes of their own, on one database and a streaming replica of it.
const replicated = await replicatedDatabase(inject('database').folder)
const { ownerUrl, replicaUrl } = replicated
const forum = await aForum({
  fresh: async () => {
    const database = openDatabase(addressesOf(ownerUrl), { features, size: 4, onLost: () => undefined })
    return { database, ownerUrl, close: () => database.close() }
  },
})
const folder = mkdtempSync(join(tmpdir(), 'teahouse-servers-'))
const start = () =>
  startForums({
    addresses: [addressesOf(ownerUrl, replicaUrl)],
    folder,
    listens: true,
    env: { DATABASE_URL: ownerUrl, GATHER_SECONDS: '0.1' },
  })
const servers = await Promise.all([start(), start()])
const chief = await aStaffer(forum)
const mei = await forum.member()
const topicId = await aTopic(mei, await aTag(forum.database))
let keys = 0

afterAll(async () => {
  for (const server of servers) await server.kill()
  await replicated.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Answer<E extends Endpoint> = { status: number; body: Output<E>; /** The read-your-writes cookie. */ wrote: string | null }

async function at<E extends Endpoint>(server: number, who: Visitor, endpoint: E, input: RawInput<E>, wrote = ''): Promise<Answer<E>> {
  const isRead = endpoint.method === 'GET'
  const query = isRead ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const its = who.headers(endpoint.method)
  const answer = await fetch(`http://127.0.0.1:${servers[server]?.ports[0]}/api${endpoint.path}${query}`, {
    method: endpoint.method,
    headers: {
      ...its,
      ...(wrote && { cookie: [its['cookie'], `${readYourWritesCookie}=${wrote}`].filter(Boolean).join('; ') }),
      ...(!isRead && { 'content-type': 'application/json', 'idempotency-key': `a-key-for-two-servers-${++keys}` }),
    },
    body: isRead ? null : JSON.stringify(input),
  })
  const [, cookie = null] = new RegExp(`${readYourWritesCookie}=([^;]*)`).exec(answer.headers.getSetCookie().join('\n')) ?? []
  return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Output<E>, wrote: cookie }
}

const floors = async (server: number, wrote = '') => {
  const { body } = await at(server, mei, listComments, { topicId }, wrote)
  return JSON.stringify(body.comments)
}

test('a write at one server is read back by its author at either, however far the replica is behind', async () => {
  await replicated.pause()
  const { body, wrote } = await at(0, mei, addComment, { topicId, body: says('Written while it slept') })
  const mine = (server: number, mark?: string) => at(server, mei, remarkSource, { kind: 'comment', id: body.commentId }, mark)
  expect(wrote).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/)
  expect((await mine(1)).status).toBe(404)
  for (const server of [0, 1]) expect(await mine(server, wrote ?? '')).toMatchObject({ status: 200, wrote: null })
  // A shared answer is never read from the replica.
  expect(await floors(1, wrote ?? '')).toContain('Written while it slept')
  await replicated.resume()
  await expect.poll(async () => (await mine(1)).status).toBe(200)
  expect((await mine(1, 'FFFFFFFF/FFFFFFFF')).status).toBe(200)
  expect((await mine(1, 'nonsense')).status).toBe(200)
})

test('a notified member reads the message, however far the replica is behind', async () => {
  const tom = await forum.member()
  await replicated.pause()
  await at(0, mei, sendMessage, { userId: tom.id, key: randomUUID(), body: says('The kettle is on') })
  for (const server of [0, 1]) {
    expect(JSON.stringify((await at(server, tom, conversation, { userId: mei.id })).body)).toContain('The kettle is on')
  }
  await replicated.resume()
})

test('an edit at one is read at the other, and so is a setting and a ban', async () => {
  const { body } = await at(0, mei, addComment, { topicId, body: says('Draft 0') })
  for (let n = 1; n <= 10; n++) {
    // Cached there in its old state.
    await expect.poll(() => floors(1)).toContain(`Draft ${n - 1}<`)
    const { status, wrote } = await at(0, mei, editRemark, { kind: 'comment', id: body.commentId, body: says(`Draft ${n}`) })
    expect(status).toBe(200)
    expect(await floors(1, wrote ?? '')).toContain(`Draft ${n}<`)
  }
  const comments = async () => (await at(1, mei, addComment, { topicId, body: says(`Once more ${++keys}`) })).status
  expect((await at(0, chief, changeSettings, { siteState: 'readOnly' })).status).toBe(200)
  await expect.poll(comments).toBe(422)
  expect((await at(0, chief, changeSettings, { siteState: 'open' })).status).toBe(200)
  await expect.poll(comments).toBe(200)
  expect((await at(0, chief, banMember, { memberId: mei.id, from: ['comment'], reason: 'Too loud' })).status).toBe(200)
  expect(await comments()).toBe(422)
  const { id } = await forum.database.app.selectFrom('member_ban').select('id').where('member_id', '=', mei.id).executeTakeFirstOrThrow()
  expect((await at(1, chief, liftBan, { banId: id })).status).toBe(200)
  expect(await comments()).toBe(200)
})

test('a limit is one for both', async () => {
  const tom = await forum.member()
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await at(n % 2, tom, editProfile, { nickname: `Tom ${n}`, showsActivity: true })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
})

test('many calls at both at once are limited like those of one', async () => {
  const tom = await forum.member()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => at(n % 2, tom, editProfile, { nickname: `Tomas ${n}`, showsActivity: true })),
  )
  const count = (expected: number) => answers.filter(({ status }) => status === expected).length
  expect([count(200) <= 10, count(429)]).toEqual([true, 30])
})

test('a member’s looks at a topic on both are one view', async () => {
  const tom = await forum.member()
  const [one, other] = [await aTopic(mei, await aTag(forum.database)), await aTopic(mei, await aTag(forum.database))]
  await expect.poll(async () => (await at(1, tom, seenTopic, { topicId: other })).status).toBe(200)
  for (const server of [0, 1, 0, 1]) await at(server, tom, seenTopic, { topicId: one })
  for (const server of [0, 1]) await at(server, mei, seenTopic, { topicId: one })
  const views = async () =>
    (await forum.database.app.selectFrom('topic').select('view_count').where('id', '=', one).executeTakeFirstOrThrow()).view_count
  // A later view at each server shows that the earlier ones were counted.
  for (const [server, other] of [await forum.member(), await forum.member()].entries())
    await expect.poll(async () => (await at(server, other, seenTopic, { topicId: one })).status).toBe(200)
  await expect.poll(views).toBe('4')
})

test('servers with cut listeners still get the invalidations', async () => {
  const titles = () => Promise.all([0, 1].map(async (server) => (await at(server, forum.visitor(), baseInfo, {})).body.title))
  const all = (await listening(sql`query`)).length
  const looking = async () => (await listening(sql`query`)).filter((query) => query.includes('from invalidation')).length
  expect(all).toBeGreaterThan(1)
  for (const title of ['Jasmine', 'Oolong', 'Puer']) {
    // A connection broken again while it reconnects counts as an unavailable database.
    await expect.poll(looking).toBe(all)
    await listening(sql`pg_terminate_backend(pid)::text`)
    expect((await at(0, chief, changeSettings, { title })).status).toBe(200)
    await expect.poll(titles).toEqual([title, title])
  }
})

/** A value of each listening connection. */
async function listening(what: RawBuilder<string>): Promise<string[]> {
  const { rows } = await sql<{ its: string }>`
    select ${what} as its from pg_stat_activity where application_name = ${listenerName}`.execute(forum.database.app)
  return rows.map(({ its }) => its)
}

const health = () => Promise.all(servers.map(async ({ ports }) => (await fetch(`http://127.0.0.1:${ports[0]}/health`)).json()))

test('reads leave a replica that falls behind, and return once it has caught up', async () => {
  await replicated.pause()
  const { body } = await at(0, mei, addComment, { topicId, body: says('Written while it fell behind') })
  const seen = async () => (await at(1, mei, remarkSource, { kind: 'comment', id: body.commentId })).status
  expect(await seen()).toBe(404)
  const behind = { replica: 'behind', replicaLagSeconds: expect.any(Number) }
  await expect.poll(health).toMatchObject([behind, behind])
  expect(await seen()).toBe(200)
  await replicated.resume()
  await expect.poll(health).toMatchObject([{ replica: 'up' }, { replica: 'up' }])
  expect(await seen()).toBe(200)
})

test('without the replica all is read from the primary, and a server is well', async () => {
  expect(await health()).toMatchObject([{ replica: 'up' }, { replica: 'up' }])
  const { body } = await at(0, mei, addComment, { topicId, body: says('Written before it went') })
  await replicated.stopReplica()
  for (const server of [0, 1]) expect((await at(server, mei, remarkSource, { kind: 'comment', id: body.commentId })).status).toBe(200)
  await expect.poll(health).toMatchObject([
    { database: 'up', replica: 'away', migrations: 'current' },
    { database: 'up', replica: 'away', migrations: 'current' },
  ])
  for (const server of [0, 1]) expect((await fetch(`http://127.0.0.1:${servers[server]?.ports[0]}/health`)).status).toBe(200)
  for (const server of [0, 1]) expect((await at(server, mei, remarkSource, { kind: 'comment', id: body.commentId })).status).toBe(200)
})
