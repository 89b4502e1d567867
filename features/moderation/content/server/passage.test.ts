import { expect, test } from 'vitest'
import { passageBetween } from '#content/server/passage.ts'

test('equal texts have no passage', () => {
  expect(passageBetween('as it was', 'as it was')).toBeNull()
})

test('a passage is the difference, with a little around it', () => {
  const [head, tail] = ['a'.repeat(50), 'z'.repeat(50)]
  expect(passageBetween(`${head} old ${tail}`, `${head} new ${tail}`)).toEqual({
    before: `…${'a'.repeat(19)} old ${'z'.repeat(19)}…`,
    after: `…${'a'.repeat(19)} new ${'z'.repeat(19)}…`,
  })
})

test('a passage of length is cut, and never within a character', () => {
  const { before = '', after = '' } = passageBetween('茶'.repeat(10), `茶${'🍵'.repeat(500)}`) ?? {}
  expect([before, [...after].length, after.endsWith('🍵…')]).toEqual(['茶'.repeat(10), 200, true])
})
