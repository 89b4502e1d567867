import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { startRedis } from '#base/testing/redis.ts'
import { openMongoDump } from '#importer/server/nodebb/mongo-dump.ts'
import { openPostgresStore } from '#importer/server/nodebb/postgres-store.ts'
import { openNodebb } from '#importer/server/nodebb/reader.ts'
import { openRedisStore } from '#importer/server/nodebb/redis-store.ts'
import { allOf, type KeyStore } from '#importer/server/nodebb/store.ts'
import { fillPostgres, fillRedis, keysFromRedis, rowsFromPostgres, writeDump, type Key } from '#importer/testing/nodebb-keys.ts'
import { rowsOf } from '#importer/testing/nodebb-reading.ts'

// The rows are an extract, which lacks these.
const more: Key[] = [
  ...['find', 'read', 'topics:read'].map((privilege): Key => ({
    key: `group:cid:5:privileges:groups:${privilege}:members`,
    sorted: { guests: 1, 'registered-users': 1, spiders: 1 },
  })),
  { key: 'group:cid:5:privileges:groups:topics:create:members', sorted: { 'registered-users': 1 } },
  { key: 'uid:2:ignored_tids', sorted: {} },
  { key: 'tid:2:bookmarks', sorted: { 2: 3, 3: 5 } },
  { key: 'cid:5:uid:watch:state', sorted: { 2: 4, 3: 1 } },
  { key: 'ties', sorted: Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`m${at}`, at < 2_400 ? 7 : at])) },
]
const onlyInRedis: Key[] = [
  { key: 'userslug:uid', sorted: { admin: 1, 'ann-lee': 2, 王小明: 3 } },
  { key: 'categories:cid', sorted: { 5: 0, 1: 1 } },
  { key: 'following:3', sorted: { 2: 1_795_895_481_330 } },
]

const folder = mkdtempSync(join(tmpdir(), 'nodebb-'))
const redis = await startRedis(await freePort())
await fillRedis(`${redis.url}/1`, [...keysFromRedis(), ...more])
const database = await freshDatabase()
const postgres = await fillPostgres(database.ownerUrl, rowsFromPostgres(), [...more, ...onlyInRedis])
const dump = writeDump(folder, [...keysFromRedis(), ...more])

const stores: [string, KeyStore][] = [
  ['Redis', await openRedisStore({ url: `${redis.url}/1` })],
  ['PostgreSQL', await openPostgresStore(postgres)],
  ['a dump of MongoDB', await openMongoDump(dump)],
]
afterAll(async () => {
  for (const [, store] of stores) await store.close()
  await redis.stop()
  await database.close()
  rmSync(folder, { recursive: true })
})

describe.each(stores)('in %s', (_, store) => {
  const opened = openNodebb(store, async () => null, { origins: ['https://tea.example/'] })

  test('the members are there, with passwords that are hashes of hashes and an address that waits for its confirmation', async () => {
    const members = await rowsOf(await opened, 'members')
    expect(members.map(({ id, name }) => [id, name])).toEqual([
      ['2', 'Ann Lee'],
      ['3', '王小明'],
    ])
    expect(members[0]).toMatchObject({
      email: { address: 'ann@example.org', isConfirmed: false },
      password: { family: 'nodebb', hash: expect.stringMatching(/^\$2b\$12\$/) },
      credits: { reputation: 0n },
      bans: [],
      joinedAt: expect.any(Date),
    })
    expect(members[0]?.password?.salt).toBeUndefined()
    expect(members[1]).toMatchObject({ email: null, credits: { reputation: 1n } })
  })

  test('the category comes along, with its readers and writers, and the tag of its topics', async () => {
    expect(await rowsOf(await opened, 'tags')).toEqual([
      { id: '5', parentId: null, name: 'Leaves & water <b>', description: 'd', order: 0, readers: 'everybody', writers: 'members' },
      expect.objectContaining({ id: 'tag/tea', isTopicTag: true, name: 'tea' }),
    ])
  })

  test('the thread is there, with its first post apart', async () => {
    const [thread, ...others] = await rowsOf(await opened, 'threads')
    expect(others).toEqual([])
    expect(thread).toMatchObject({
      id: '2',
      tagId: '5',
      kind: 'topic',
      title: `Tom & Jerry's "best" <3 😀`,
      pin: 1,
      isLocked: true,
      views: 0,
      tags: ['tea'],
      poll: null,
      opening: { id: '2', author: { memberId: '2' }, state: 'published', editedAt: null },
    })
    expect(await rowsOf(await opened, 'accepted')).toEqual([])
    expect(thread && toMarkdown(thread.opening.body.document)).toContain('```javascript\nlet a = 1 < 2;\n```')
  })

  test('the answers are there in their order: a deleted one keeps its number, a purged one leaves none', async () => {
    const comments = await rowsOf(await opened, 'comments')
    expect(comments.map(({ id, number, state, answersId, author }) => [id, number, state, answersId, author])).toEqual([
      ['3', 2, 'published', null, { memberId: '3' }],
      ['4', 3, 'published', '3', { memberId: '2' }],
      ['5', 4, 'deleted', null, { memberId: '2' }],
      ['6', 5, 'published', null, { memberId: '3' }],
    ])
    expect(comments[0]?.body.document.content).toEqual([
      {
        type: 'paragraph',
        content: [
          { type: 'mention', attrs: { id: 'import:member/2', label: 'Ann-Lee' } },
          { type: 'text', text: ' first answer' },
        ],
      },
    ])
    expect(comments[3]?.editedAt).toBeInstanceOf(Date)
    expect(comments.every(({ threadId }) => threadId === '2')).toBe(true)
  })

  test('likes, favourites, follows and places are there, and a vote taken back is not', async () => {
    const reader = await opened
    const at = expect.any(Date)
    expect(await rowsOf(reader, 'likes')).toEqual([{ postId: '3', memberId: '2', at }])
    expect(await rowsOf(reader, 'favourites')).toEqual([{ threadId: '2', memberId: '2', at }])
    expect(await rowsOf(reader, 'readPositions')).toEqual([
      { threadId: '2', memberId: '2', number: 3, at: null },
      { threadId: '2', memberId: '3', number: 5, at: null },
    ])
    expect((await rowsOf(reader, 'follows')).map((one) => [one.of, one.id, one.memberId, one.level])).toEqual([
      ['thread', '2', '2', 'watching'],
      ['member', '2', '3', 'watching'],
      ['tag', '5', '3', 'muted'],
      ['tag', '5', '2', 'watching'],
    ])
  })

  test('the message is there, unread', async () => {
    const [message, ...others] = await rowsOf(await opened, 'messages')
    expect(others).toEqual([])
    expect(message).toMatchObject({ id: '1', authorId: '2', readerIds: ['3'], title: '', isRead: false })
    expect(message?.body.document.content).toEqual([{ type: 'paragraph', content: [{ type: 'text', text: 'secret & <b>plain</b>' }] }])
  })

  test('a later run reads only what is new', async () => {
    const reader = await opened
    const marks = await reader.marks()
    for (const kind of ['members', 'threads', 'comments', 'messages'] as const)
      expect.soft(await rowsOf(reader, kind, { since: marks[kind] ?? null, upto: marks[kind] ?? '' }), kind).toEqual([])
    expect((await rowsOf(reader, 'comments', { since: '4@0' })).map(({ id, number }) => [id, number])).toEqual([
      ['5', 4],
      ['6', 5],
    ])
    expect((await rowsOf(reader, 'comments', { upto: '3@0' })).map(({ id }) => id)).toEqual(['3'])
  })
})

describe.each(stores)('the keys in %s', (_, store) => {
  test('pages of a sorted set hold each member once, in the order of scores and then of members', async () => {
    const all = await allOf(store, 'ties')
    const names = all.map(([member]) => member)
    expect(names).toHaveLength(2_500)
    expect(names.slice(0, 2_400)).toEqual(names.slice(0, 2_400).toSorted())
    expect(names.slice(-2)).toEqual(['m2498', 'm2499'])
    expect(await store.count('ties')).toBe(2_500)
    expect(await store.sorted('ties', { after: ['m1000', '7'], limit: 2 })).toEqual([
      ['m1001', '7'],
      ['m1002', '7'],
    ])
    // A member that has left the set since.
    expect(await store.sorted('ties', { after: ['m1000x', '7'], limit: 1 })).toEqual([['m1001', '7']])
    expect(await store.sorted('ties', { after: ['m1', '2404'], limit: 1 })).toEqual([['m2404', '2404']])
  })

  test('a key that holds nothing is nothing', async () => {
    expect(await store.object('none')).toBeNull()
    expect(await store.sorted('none', { after: null, limit: 5 })).toEqual([])
    expect(await store.sorted('none', { after: ['a', '1'], limit: 5 })).toEqual([])
    expect(await store.scores('none', ['a'])).toEqual([null])
    expect(await store.members('none')).toEqual([])
    expect(await store.count('none')).toBe(0)
    expect(await store.text('none')).toBeNull()
    expect(await store.members('tid:2:followers')).toEqual(['2'])
  })
})

describe('a store that cannot be opened says why', () => {
  test('Redis that is not there, asks for a password, or has no such database', async () => {
    await expect(openRedisStore({ url: `redis://127.0.0.1:${await freePort()}` })).rejects.toThrow(/There is no Redis at/)
    await expect(openRedisStore({ url: `${redis.url}/99999` })).rejects.toThrow(/no such database/)
    const locked = await startRedis(await freePort())
    const client = new Redis(locked.url)
    await client.config('SET', 'requirepass', 'right')
    client.disconnect()
    for (const password of [undefined, 'wrong'])
      await expect(openRedisStore({ url: locked.url, password })).rejects.toThrow(/refuses the password/)
    const store = await openRedisStore({ url: locked.url, password: 'right' })
    await expect(openNodebb(store, async () => null, { origins: [] })).rejects.toThrow(CannotStart)
    await locked.stop()
  })
})
