import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { freshDatabase, withDatabase } from '#base/testing/database.ts'
import { openMongoDump } from '#importer/server/nodebb/mongo-dump.ts'
import { openPostgresStore } from '#importer/server/nodebb/postgres-store.ts'
import { openNodebb } from '#importer/server/nodebb/reader.ts'
import { apart, fillPostgres, writeDump, type Key } from '#importer/testing/nodebb-keys.ts'

const keys: Key[] = [
  { key: 'global', hash: { nextTid: 2 } },
  { key: 'topics:tid', sorted: { 1: 10, 2: 20 } },
  { key: 'tid:1:followers', set: ['2', '3'] },
]

describe('a dump of MongoDB', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nodebb-test-'))
    mkdirSync(join(folder, 'tmp'))
    vi.stubEnv('TMPDIR', join(folder, 'tmp'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const temporary = () => readdirSync(join(folder, 'tmp'))
  const file = (name = 'objects.bson') => join(folder, 'dump', 'nodebb', name)

  test('the folder, the folder of the database and the file are the same, zipped or not', async () => {
    const path = writeDump(folder, keys)
    const zipped = writeDump(join(folder, 'zipped'), keys, { isZipped: true })
    for (const given of [path, join(path, 'nodebb'), file(), zipped, join(zipped, 'nodebb', 'objects.bson.gz')]) {
      const store = await openMongoDump(given)
      expect(await store.sorted('topics:tid', { after: null, limit: 9 })).toEqual([
        ['1', '10'],
        ['2', '20'],
      ])
      expect(await store.members('tid:1:followers')).toEqual(['2', '3'])
      await store.close()
    }
    expect(temporary()).toEqual([])
  })

  test('documents keep their values, whatever kind of number, and expired ones are gone', async () => {
    mkdirSync(join(folder, 'dump', 'nodebb'), { recursive: true })
    const documents = [
      { _key: 'a', big: 9_007_199_254_740_993n, whole: 5, part: 1.5, text: '05', yes: true, none: null, 'a\uff0eb': 1 },
      { _key: 'old', x: 1, expireAt: new Date(1) },
      { _key: 'later', x: 1, expireAt: new Date(Date.now() + 1e9) },
      { _key: 'list', array: ['1'] },
      { _key: 'old text', value: 'v' },
      { other: 1 },
    ]
    writeFileSync(file(), Buffer.concat(documents.map((document) => Buffer.from(serialize(document)))))
    const store = await openMongoDump(folder + '/dump')
    expect(await store.objects(['a', 'old', 'later', 'list'])).toEqual([
      { big: '9007199254740993', whole: '5', part: '1.5', text: '05', yes: 'true', 'a.b': '1' },
      null,
      { x: '1' },
      null,
    ])
    expect(await store.text('old text')).toBe('v')
    await store.close()
  })

  test('documents larger than a piece of the file are whole', async () => {
    const content = '茶'.repeat(1_500_000)
    const path = writeDump(folder, [...keys, { key: 'post:1', hash: { content } }, { key: 'post:2', hash: { content: 'b' } }])
    const store = await openMongoDump(path)
    expect((await store.object('post:1'))?.['content']).toBe(content)
    expect(await store.object('post:2')).toEqual({ content: 'b' })
    await store.close()
  })

  test('half a dump, what is no dump, and nothing say what to do, and leave nothing behind', async () => {
    const path = writeDump(folder, keys)
    const whole = readFileSync(file())
    await expect(openMongoDump(join(folder, 'nowhere'))).rejects.toThrow(/There is nothing at .* Give the folder that mongodump wrote/)
    for (const broken of [
      whole.subarray(0, -5),
      whole.subarray(0, 2),
      Buffer.from('{"_key": "global"}'),
      Buffer.concat([whole, Buffer.alloc(8)]),
    ]) {
      writeFileSync(file(), broken)
      await expect(openMongoDump(path)).rejects.toThrow(/no whole dump.* Run mongodump again/)
    }
    rmSync(file())
    for (const broken of [gzipSync(whole).subarray(0, -12), whole]) {
      writeFileSync(file('objects.bson.gz'), broken)
      await expect(openMongoDump(path)).rejects.toThrow(CannotStart)
    }
    writeFileSync(join(folder, 'all.archive'), 'x')
    await expect(openMongoDump(join(folder, 'all.archive'))).rejects.toThrow(/without --archive/)
    mkdirSync(join(path, 'other'))
    writeFileSync(join(path, 'other', 'objects.bson'), whole)
    await expect(openMongoDump(path)).rejects.toThrow(/more than one database/)
    await expect(openMongoDump(join(folder, 'tmp'))).rejects.toThrow(/There is no objects.bson/)
    expect(temporary()).toEqual([])
  })

  test('a dump of another program is no NodeBB', async () => {
    const store = await openMongoDump(writeDump(folder, [{ key: 'x', hash: { a: 1 } }]))
    await expect(openNodebb(store, async () => null, { origins: [] })).rejects.toThrow(/no NodeBB in this database/)
    expect(temporary()).toEqual([])
  })
})

describe('PostgreSQL', async () => {
  const database = await freshDatabase()
  afterAll(() => database.close())
  const expired = [
    { table: 'legacy_object', row: { _key: 'old', type: 'hash', expireAt: '2020-01-01' } },
    { table: 'legacy_hash', row: { _key: 'old', data: { x: 1 } } },
    { table: 'legacy_object', row: { _key: 'later', type: 'hash', expireAt: '2999-01-01' } },
    { table: 'legacy_hash', row: { _key: 'later', data: { x: 1, big: 5, none: null, yes: true } } },
  ]

  test('a database without NodeBB, a wrong name and a wrong password say what to do', async () => {
    await expect(openPostgresStore(apart(database.ownerUrl))).rejects.toThrow(/holds no NodeBB/)
    await expect(openPostgresStore(apart(withDatabase(database.ownerUrl, 'nowhere')))).rejects.toThrow(/has no database at/)
    await expect(openPostgresStore({ url: 'postgresql://127.0.0.1:1/x' })).rejects.toThrow(/There is no PostgreSQL at/)
    await expect(openPostgresStore(apart(withUser(database.ownerUrl, 'nobody_here')))).rejects.toThrow(/refuses the user or the password/)
  })

  test('expired keys are gone', async () => {
    const store = await openPostgresStore(await fillPostgres(database.ownerUrl, expired, []))
    expect(await store.objects(['old', 'later'])).toEqual([null, { x: '1', big: '5', yes: 'true' }])
    await store.close()
  })
})

function withUser(address: string, user: string): string {
  const url = new URL(address)
  url.username = user
  return url.href
}
