import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxDepth, parseJson } from '#base/server/http/parse-json.ts'

const freely = { maxNames: Infinity, maxNodes: Infinity }
const nodesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, inner) => sum + nodesIn(inner), 1) : 1

test('JSON is read as it is, up to as many values as may come', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), fc.boolean(), (json, isSpread) => {
      const text = isSpread ? JSON.stringify(JSON.parse(json), null, 2) : json
      const value: unknown = JSON.parse(text)
      expect(parseJson(text, { maxNames: 100, maxNodes: nodesIn(value) + text.split(/[[{]/).length })).toEqual(value)
      expect(() => parseJson(`[${text}]`, { ...freely, maxNodes: nodesIn(value) })).toThrow(SyntaxError)
    }),
  )
})

test('brackets, commas and quotation marks within text are no values', () => {
  const text = JSON.stringify(['['.repeat(500), '"{{,,'.repeat(500), '\\"[[,'.repeat(500), '\\', '\\\\"', ''])
  expect(parseJson(text, { ...freely, maxNodes: 8 })).toEqual(JSON.parse(text))
})

test('an object has as many names as the limit, and no more', () => {
  const limits = { maxNames: 3, maxNodes: Infinity }
  const three = '{"a":[0,0,0,0,{"a":1,"b":2,"c":3}],"b":{"a":"{,,,,}","b":[[],[],[],[]]},"c":0}'
  expect(parseJson(`[${three},${three}]`, limits)).toEqual([JSON.parse(three), JSON.parse(three)])
  expect(() => parseJson('{"a":0,"b":0,"c":0,"d":0}', limits)).toThrow(SyntaxError)
  expect(() => parseJson('{"a":[{}],"b":[{"a":0,"b":0,"c":0,"d":0}]}', limits)).toThrow(SyntaxError)
})

test.each(['[', '{"a":', '[{"a":'])('%s without end is refused', (open) => {
  expect(() => parseJson(open.repeat(500_000), freely)).toThrow(SyntaxError)
})

test.each(['"', '"\\', '"\\"', '["', '{"a":"\\\\\\'])('%s that is not closed is refused', (text) => {
  expect(() => parseJson(text, freely)).toThrow(SyntaxError)
})

test('the deepest that is taken, and one more', () => {
  expect(parseJson('['.repeat(maxDepth) + ']'.repeat(maxDepth), freely)).toBeInstanceOf(Array)
  expect(() => parseJson('['.repeat(maxDepth + 1) + ']'.repeat(maxDepth + 1), freely)).toThrow('too deep')
})
