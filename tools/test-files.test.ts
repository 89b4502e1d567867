import { expect, test } from 'vitest'
import { allTests, isExtended, isSampled, testsNamed } from './test-files.ts'

test('a word finds the files that have it in their path', () => {
  expect(testsNamed(['tools/test-files'])).toEqual(['tools/test-files.test.ts'])
})

test('a file with races or properties is sampled, also where they come with a factory', () => {
  expect(isSampled('features/ledger/wallet/server/shapes.test.ts')).toBe(true)
  expect(isSampled('tools/words.test.ts')).toBe(false)
  expect(allTests.filter(isExtended).length).toBeGreaterThan(20)
})
