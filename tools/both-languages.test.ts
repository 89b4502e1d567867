import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from './endpoints.ts'

/** The fields of a call in two languages: `zh` and `en`, or names with these suffixes. */
function pairsIn(names: readonly string[]): (readonly [zh: string, en: string])[] {
  const pairs = names.map((name) => [name, name.replace(/^zh$/, 'en').replace(/Zh$/, 'En')] as const)
  return pairs.filter(([zh, en]) => zh !== en && names.includes(en))
}

test('no call demands a text in two languages, for a site may offer one', async () => {
  const calls = (await endpoints()).map(({ path, input }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    return { path, pairs: pairsIn(Object.keys(properties)), required }
  })
  const demanding = calls.filter(({ pairs, required }) => pairs.some((pair) => pair.some((name) => required.includes(name))))
  expect(demanding.map(({ path }) => path)).toEqual([])
  expect(calls.filter(({ pairs }) => pairs.length > 0).length).toBeGreaterThan(15)
})
