import { expect, test } from 'vitest'
import { lookOf, looks, otherLooks } from './look-of.ts'

test('the looks of journeys have every pair of language, theme and width', () => {
  const pairs = (['language', 'theme', 'width'] as const).map((left, at, names) => {
    const right = names[(at + 1) % names.length] ?? left
    return new Set(looks.map((look) => `${look[left]} ${look[right]}`)).size
  })
  expect(pairs).toEqual([4, 4, 4])
})

test('a journey has one look in the gate, and the others in its extended file', () => {
  const [plain, extended] = ['/forum/e2e/payment.spec.ts', '/forum/e2e/payment.extended.spec.ts']
  expect(lookOf(extended)).toBe(lookOf(plain))
  expect([lookOf(plain), ...otherLooks(extended)].toSorted((one, other) => looks.indexOf(one) - looks.indexOf(other))).toEqual(looks)
})

test('the looks are spread over journeys of any names', () => {
  const count = new Map(looks.map((look) => [look, 0]))
  for (let number = 0; number < 400; number++) {
    const look = lookOf(`/e2e/journey-${number}.spec.ts`)
    count.set(look, (count.get(look) ?? 0) + 1)
  }
  expect(Math.min(...count.values())).toBeGreaterThan(70)
})
