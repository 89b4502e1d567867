import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepest, parseJson } from '#base/server/parse-json.ts'

test('JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      fc.pre(!text.includes('__proto__'))
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each(['{"__proto__":{"a":1}}', '[{"b":[{"__proto__":null}]}]', String.raw`{"\u005f_proto__":1}`])(
  '%s is refused: nobody would see it there',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  },
)

test('what is said of __proto__ is no name', () => {
  expect(parseJson('{"text":"__proto__","and":["__proto__"]}')).toEqual({ text: '__proto__', and: ['__proto__'] })
})

test('brackets within text are no levels', () => {
  const text = JSON.stringify(['['.repeat(500), '"{{'.repeat(500), '\\"[['.repeat(500)])
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each(['[', '{"a":', '[{"a":'])('%s without end is refused', (open) => {
  expect(() => parseJson(open.repeat(500_000))).toThrow(SyntaxError)
})

test('the deepest that is taken, and one more', () => {
  expect(parseJson('['.repeat(deepest) + ']'.repeat(deepest))).toBeInstanceOf(Array)
  expect(() => parseJson('['.repeat(deepest + 1) + ']'.repeat(deepest + 1))).toThrow('too deep')
})
