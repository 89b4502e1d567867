import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { freshDatabase } from '#base/testing/database.ts'

const { database, close } = await freshDatabase()
const away = Object.assign(new Error('No'), { code: 'ECONNREFUSED' })
let answers: (() => Promise<string>)[] = []
const aValue = () => cachedValue('setting', () => (answers.shift() ?? (() => Promise.reject(new Error('Asked once too often'))))())
const says = (text: string) => async () => text

afterAll(close)
afterEach(() => vi.useRealTimers())

test('many ask, and the database is asked once', async () => {
  answers = [says('tea')]
  const known = aValue()
  expect(await Promise.all([known.of(database.app), known.of(database.reader)])).toEqual(['tea', 'tea'])
  expect(await known.of(database.app)).toBe('tea')
  expect(known.peek(database.app)).toBe('tea')
})

test('a value invalidated while it is loaded is not cached', async () => {
  let answer: (text: string) => void = () => undefined
  answers = [() => new Promise((resolve) => (answer = resolve)), says('new')]
  const known = aValue()
  const before = known.of(database.app)
  known.clear(database.app)
  answer('old')
  expect(await before).toBe('old')
  expect(known.peek(database.app)).toBeNull()
  expect(await known.of(database.app)).toBe('new')
})

test('a value is loaded again after a minute, and stays while the database is away', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  answers = [says('old'), () => Promise.reject(away), says('new')]
  const known = aValue()
  await known.of(database.app)
  vi.advanceTimersByTime(61_000)
  expect(known.peek(database.app)).toBeNull()
  expect(await known.of(database.app)).toBe('old')
  expect(await known.of(database.app)).toBe('old')
  vi.advanceTimersByTime(2_000)
  expect(await known.of(database.app)).toBe('new')
})

test('a failed load is an error, and the next one loads again', async () => {
  answers = [() => Promise.reject(away), says('tea')]
  const known = aValue()
  await expect(known.of(database.app)).rejects.toThrow('No')
  expect(await known.of(database.app)).toBe('tea')
})

test('a transaction sees its own change, loads it once, and shares it with no other', async () => {
  answers = [says('before'), says('mine'), says('mine again')]
  const known = aValue()
  expect(await known.of(database.app)).toBe('before')
  await database.app.transaction().execute(async (tx) => {
    invalidate(tx, 'setting')
    expect(await known.of(tx)).toBe('mine')
    expect(await known.of(tx)).toBe('mine')
    invalidate(tx, 'setting')
    expect(await known.of(tx)).toBe('mine again')
  })
  expect(await known.of(database.app)).toBe('before')
})

test('a transaction with other changes loads no more often than any other', async () => {
  answers = [says('tea')]
  const known = aValue()
  await database.app.transaction().execute(async (tx) => {
    invalidate(tx, 'topic:42')
    expect(await known.of(tx)).toBe('tea')
  })
  expect(await known.of(database.app)).toBe('tea')
})
