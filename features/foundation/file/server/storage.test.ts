import dns, { type LookupAddress } from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { aBadSite, misbehaviours, type Misbehaviour } from '#base/testing/bad-site.ts'
import { until } from '#base/testing/waits.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import { s3Storage } from '#file/server/s3-storage.ts'
import type { ByteRange, Storage } from '#file/server/storage-types.ts'
import { serve } from '#base/testing/fake-server.ts'
import { aStore, type Fault } from '../../../../tools/s3-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-storage-'))
const server = await aStore()
const disk = diskStorage(folder)
const s3 = s3Storage({ ...server.store, bucketStands: 'in path' })
const inHost = s3Storage({ ...server.store, url: server.store.url.replace('127.0.0.1', 's3.localhost'), bucketStands: 'in host' })

// Names below localhost are this machine, which not all resolvers know.
const { lookup } = dns
vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, answer: (error: null, found: LookupAddress[]) => void) =>
  name.endsWith('.localhost') ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : lookup(name, options, answer as never)) as never)

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  server.fault = () => null
  server.requests.length = 0
})

let files = 0
const name = (end = 'webp') => `f_${String(++files).padStart(22, '0')}.${end}`
const soon = () => new Date(Date.now() + 10_000)

describe.each<[string, Storage]>([
  ['on disk', disk],
  ['in a store', s3],
  ['in a store that has buckets in its host names', inHost],
])('an object %s', (_, storage) => {
  test('is stored, and replaced when its name is stored again', async () => {
    const cup = name()
    expect(await storage.get(cup)).toBeNull()
    await storage.put(cup, Buffer.from('a cup'))
    expect(await read(storage, cup)).toEqual({ bytes: 5, text: 'a cup' })
    await storage.put(cup, Buffer.from('a larger cup'))
    expect(await read(storage, cup)).toEqual({ bytes: 12, text: 'a larger cup' })
  })

  test('may come as a stream of known length, and is not there when it came short', async () => {
    const pieces = ['a', ' pot', ' of tea'].map((text) => Buffer.from(text))
    const [whole, short] = [name(), name()]
    await storage.put(whole, { bytes: 12, stream: Readable.from(pieces) })
    expect(await read(storage, whole)).toEqual({ bytes: 12, text: 'a pot of tea' })
    await expect(storage.put(short, { bytes: 20, stream: Readable.from(pieces) })).rejects.toThrow(/12 of 20|fetch failed/)
    expect(await storage.get(short)).toBeNull()
  })

  test('may be read in part', async () => {
    const pot = name()
    await storage.put(pot, Buffer.from('a pot of tea'))
    expect(await read(storage, pot, { from: 2, to: 4 })).toEqual({ bytes: 12, text: 'pot' })
    expect(await read(storage, pot, { from: 9, to: 11 })).toEqual({ bytes: 12, text: 'tea' })
  })

  test('may have another name too', async () => {
    const [one, other] = [name(), name('file')]
    await storage.put(one, Buffer.from('tea'))
    await storage.copy(one, other)
    await storage.remove(one)
    expect(await storage.get(one)).toBeNull()
    expect((await read(storage, other))?.text).toBe('tea')
    await expect(storage.copy(one, name())).rejects.toThrow(/ENOENT|not found/)
  })

  test('is gone when it was removed, and removing it again is no error', async () => {
    const cup = name()
    await storage.put(cup, Buffer.from('a cup'))
    await storage.remove(cup)
    await storage.remove(cup)
    expect(await storage.get(cup)).toBeNull()
  })

  test('is listed when it is old enough', async () => {
    const [small, large] = [name('240.webp'), name('960.avif')]
    for (const one of [small, large]) await storage.put(one, Buffer.from('x'))
    const listed = await all(storage.list(soon()))
    expect(listed).toContain(small)
    expect(listed).toContain(large)
    expect(await all(storage.list(new Date(Date.now() - 60_000)))).toEqual([])
  })
})

test('foreign objects are never listed, as listed ones may be removed', async () => {
  await mkdir(join(folder, 'aa'), { recursive: true })
  await writeFile(join(folder, 'aa', 'somebody-elses.txt'), 'x')
  await s3.put('somebody-elses.txt', Buffer.from('x'))
  for (const storage of [disk, s3]) expect(await all(storage.list(soon()))).not.toContain('somebody-elses.txt')
})

test('a store of more objects than one answer holds is listed whole', async () => {
  const names = Array.from({ length: 1010 }, () => name())
  for (let at = 0; at < names.length; at += 101) await Promise.all(names.slice(at, at + 101).map((one) => s3.put(one, Buffer.from('x'))))
  const listed = new Set(await all(s3.list(soon())))
  expect(names.filter((one) => !listed.has(one))).toEqual([])
})

// The protocol allows a store to return fewer entries than requested, and to use XML namespaces.
test('a store that gives few at a time is listed whole, and one that says an error in its own space is not believed', async () => {
  const names = Array.from({ length: 5 }, () => name()).sort()
  const few = await serve(() => (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://store')
    if (request.method === 'PUT')
      return response.end('<Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>InternalError</Code></Error>')
    const left = names.filter((one) => one > (searchParams.get('start-after') ?? ''))
    const entries = left
      .slice(0, 2)
      .map((one) => `<Contents><Key>${one}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`)
    return response.end(`<ListBucketResult><IsTruncated>${left.length > 2}</IsTruncated>${entries.join('')}</ListBucketResult>`)
  })
  const store = s3Storage({ ...server.store, url: few.address, bucketStands: 'in path' })
  expect(await all(store.list(soon()))).toEqual(names)
  await expect(store.copy(name(), name())).rejects.toThrow('InternalError')
  await few.close()
})

describe('when the store has trouble', () => {
  test('a bad moment or a broken line is got over', async () => {
    const cup = name()
    for (const fault of ['fails', 'cut'] as const) {
      server.fault = once(fault)
      await s3.put(cup, Buffer.from(fault))
      server.fault = once(fault)
      expect((await read(s3, cup))?.text).toBe(fault)
    }
  })

  test('lasting trouble is reported, and leaves nothing half stored', async () => {
    const cup = name()
    const trouble = /answered with 500|fetch failed/
    for (const fault of ['fails', 'cut'] as const) {
      server.fault = () => fault
      await expect(s3.put(cup, Buffer.from('a cup'))).rejects.toThrow(trouble)
      await expect(s3.get(cup)).rejects.toThrow(trouble)
      await expect(s3.remove(cup)).rejects.toThrow(trouble)
      await expect(all(s3.list(soon()))).rejects.toThrow(trouble)
    }
    server.fault = () => null
    expect(await s3.get(cup)).toBeNull()
  })

  test('an answer cut within breaks the stream, so that half a picture is never taken for whole', async () => {
    const cup = name()
    await s3.put(cup, Buffer.alloc(500_000, 'x'))
    server.fault = once('cut within')
    await expect(read(s3, cup)).rejects.toThrow(/terminated/)
  })

  test('a bucket that is not there, and a key it does not know, are not an empty store', async () => {
    for (const wrong of [{ bucket: 'coffee' }, { secret: 'guessed' }]) {
      const other = s3Storage({ ...server.store, ...wrong, bucketStands: 'in path' })
      await expect(other.get(name())).rejects.toThrow(/40[34]/)
      await expect(other.put(name(), Buffer.from('x'))).rejects.toThrow(/40[34]/)
    }
  })
})

describe('a store that does not finish is left at the deadline', () => {
  const calls: Record<string, (storage: Storage) => Promise<unknown>> = {
    put: (storage) => storage.put(name(), Buffer.from('tea')),
    'put a stream': (storage) => storage.put(name(), { bytes: 3, stream: Readable.from([Buffer.from('tea')]) }),
    get: (storage) => read(storage, name()),
    copy: (storage) => storage.copy(name(), name()),
    remove: (storage) => storage.remove(name()),
    list: (storage) => all(storage.list(soon())),
  }
  const endless = Object.keys(misbehaviours).filter((one) => /drips|stops|nothing|for ever|without end/.test(one)) as Misbehaviour[]

  test.each(Object.keys(calls))('%s', async (call) => {
    await Promise.all(
      endless.map(async (misbehaviour) => {
        const site = await aBadSite(misbehaviour)
        const url = `http://127.0.0.1:${site.port}`
        const bad = s3Storage({ ...server.store, url, bucketStands: 'in path' }, { patienceMs: 150 })
        await expect(calls[call]?.(bad), misbehaviour).rejects.toBeInstanceOf(Error)
        await site.left()
        site.close()
      }),
    )
  })
})

test('a request to a silent store ends at its deadline, also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const site = await aBadSite('says nothing')
  const silent = s3Storage({ ...server.store, url: `http://127.0.0.1:${site.port}`, bucketStands: 'in path' }, { patienceMs: 300 })
  const put = silent.put(name(), { bytes: 3, stream: Readable.from([Buffer.from('tea')]) })
  put.catch(() => undefined)
  await until(() => site.requests > 0)
  collectGarbage()
  await expect(put).rejects.toThrow('took too long')
  await site.left()
  site.close()
})

describe('a browser that may bring a file by itself', () => {
  const bring = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/octet-stream', ...headers } })

  test('brings that one, of that length, and no other', async () => {
    const pot = name('incoming')
    const admission = await s3.admit(pot, 12, 60)
    const url = admission?.url ?? ''
    expect((await bring(url, 'a pot')).status).toBe(403)
    expect((await bring(url.replace(pot, name('incoming')), 'a pot of tea')).status).toBe(403)
    expect((await bring(url, 'a pot of tea', { 'content-type': 'text/html' })).status).toBe(403)
    expect((await bring(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'), 'a pot of tea')).status).toBe(403)
    expect(await s3.get(pot)).toBeNull()
    expect((await bring(url, 'a pot of tea')).status).toBe(200)
    expect((await read(s3, pot))?.text).toBe('a pot of tea')
  })

  test('comes too late when the time is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 })
    const admission = await s3.admit(name('incoming'), 1, 1)
    vi.useRealTimers()
    expect((await bring(admission?.url ?? '', 'x')).status).toBe(403)
  })

  test('reaches the store where browsers reach it', async () => {
    const far = s3Storage({ ...server.store, publicUrl: 'https://files.example.org', bucketStands: 'in host' })
    expect((await far.admit(name(), 1, 60))?.url).toMatch(/^https:\/\/tea\.files\.example\.org\/f_/)
    expect(await disk.admit(name(), 1, 60)).toBeNull()
  })
})

test('a disk that takes nothing, or breaks off, is reported, and leaves nothing half stored', async () => {
  const broken = join(folder, 'broken')
  await mkdir(broken)
  await writeFile(join(broken, 'unfinished'), 'no folder')
  await expect(diskStorage(broken).put(name(), Buffer.from('x'))).rejects.toThrow(/EEXIST|ENOTDIR/)

  const pot = name()
  async function* breaking() {
    yield Buffer.from('half a p')
    throw new Error('No space is left')
  }
  await expect(disk.put(pot, { bytes: 12, stream: Readable.from(breaking()) })).rejects.toThrow('No space is left')
  expect(await disk.get(pot)).toBeNull()
  expect(await readdir(join(folder, 'unfinished'))).toEqual([])
})

async function read(storage: Storage, name: string, part?: ByteRange): Promise<{ bytes: number; text: string } | null> {
  const stored = await storage.get(name, part)
  return stored && { bytes: stored.bytes, text: (await buffer(stored.stream)).toString() }
}

async function all(names: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const one of names) found.push(one)
  return found
}

function once(fault: Fault): () => Fault | null {
  let isDone = false
  return () => {
    if (isDone) return null
    isDone = true
    return fault
  }
}
