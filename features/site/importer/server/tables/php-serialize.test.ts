import fc from 'fast-check'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { unserialize, type PhpValue } from '#importer/server/tables/php-serialize.ts'

const read = (text: string | Buffer) => unserialize(Buffer.from(text), (bytes) => bytes.toString())
const map = (object: Record<string, PhpValue>) => new Map(Object.entries(object))

/** As PHP writes a value; the length of a string is what `lengthOf` says. */
function serialize(value: PhpValue, lengthOf: (text: string) => number): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${Number(value)};`
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return `i:${value};`
  if (typeof value === 'number') return `d:${value};`
  if (typeof value === 'string') return `s:${lengthOf(value)}:"${value}";`
  const entries = [...value].map(([key, one]) => serialize(/^\d{1,9}$/.test(key) ? Number(key) : key, lengthOf) + serialize(one, lengthOf))
  return `a:${value.size}:{${entries.join('')}}`
}

const utf8Length = (text: string) => Buffer.byteLength(text)
const gbkLength = (text: string) => iconv.encode(text, 'gbk').length

test('a setting of Discuz! is a map of its credits', () => {
  const text =
    'a:2:{i:1;a:3:{s:5:"title";s:6:"威望";s:4:"unit";s:0:"";s:5:"ratio";i:0;}i:2;a:2:{s:5:"title";s:6:"金钱";s:9:"available";s:1:"1";}}'
  expect(read(text)).toEqual(
    new Map([
      ['1', map({ title: '威望', unit: '', ratio: 0 })],
      ['2', map({ title: '金钱', available: '1' })],
    ]),
  )
})

test('values of all kinds have theirs', () => {
  expect(read('N;')).toBeNull()
  expect(read('b:1;')).toBe(true)
  expect(read('i:-5;')).toBe(-5)
  expect(read('i:9223372036854775807;')).toBe(9_223_372_036_854_775_807n)
  expect(read('d:0.5;')).toBe(0.5)
  expect(read('d:-INF;')).toBe(-Infinity)
  expect(read('O:8:"stdClass":1:{s:1:"a";s:2:"";";}')).toEqual(map({ a: '";' }))
  expect(read('a:1:{s:9:"__proto__";i:1;}')).toEqual(new Map([['__proto__', 1]]))
})

const anyValue = fc.letrec<{ value: PhpValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
    fc.string({ unit: fc.constantFrom('a', '茶', '"', ';', '";', '}', '\n', 'é') }),
    fc.array(fc.tuple(fc.string({ unit: 'grapheme-ascii' }), tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
  ),
})).value

test('any value comes back', () => {
  const comesBack = fc.property(anyValue, (value) => {
    expect(read(serialize(value, utf8Length))).toEqual(value)
  })
  fc.assert(comesBack)
})

test('any value whose lengths count bytes of another charset comes back', () => {
  const names = fc.string({ unit: fc.constantFrom('a', '茶', '"', ';', ' ', '馆', '}', 'é') }).filter((text) => !/";/.test(text))
  const settings = fc
    .array(fc.tuple(names, fc.oneof(names, fc.integer())), { maxLength: 8 })
    .map((entries) => new Map<string, PhpValue>(entries))
  const comesBack = fc.property(settings, (value) => {
    expect(read(serialize(value, gbkLength))).toEqual(value)
    expect(read(serialize(value, (text) => text.length))).toEqual(value)
  })
  fc.assert(comesBack)
})

test('anything else is none, however deep or long it is', () => {
  const others = ['', 'a', 'hello', 'a:1:{', 'a:1:{i:1;}', 's:5:"ab', 's:x:"a";', 'i:1', 'i:1;i:2;', 'O:1', 'a:1:{b:1;i:1;}', 'r:1;']
  for (const other of others) expect(read(other)).toBeUndefined()
  expect(read('a:1:{i:0;'.repeat(100_000))).toBeUndefined()
  expect(typeof read(`s:1:"${'";'.repeat(500_000)}x`)).toBe('undefined')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 's', 'i', ':', ';', '{', '}', '1', '"', 'O', 'N') }), (text) => {
      read(text)
    }),
  )
})
