import { expect, test } from 'vitest'
import { allTests, gateTests, outsideGate, testsNamed, testsOf } from './test-files.ts'

test('the gate and what it leaves are all tests there are', () => {
  expect(new Set([...gateTests, ...outsideGate()])).toEqual(new Set(allTests))
})

test('a change of a feature runs its tests, those of what builds on it, and those that name it', () => {
  const tests = testsOf(['features/posts/comment/server/list.ts'])
  expect(tests).toContain('features/posts/comment/server/comment.test.ts')
  expect(tests).toContain('features/moderation/content/server/content.test.ts')
  expect(tests).toContain('features/money/wallet/server/points.test.ts')
  expect(tests).not.toContain('features/messages/delivery/server/sms.test.ts')
  expect(tests.length).toBeLessThan(allTests.length)
})

test('a change of the settings that a feature declares runs the tests of all that read settings', () => {
  const tests = testsOf(['features/operations/statistic/settings.ts'])
  expect(tests).toContain('features/site/setting/server/settings.test.ts')
  expect(tests).toContain('features/money/wallet/server/points.test.ts')
})

test('a change of what stands last runs little, and always a few that look at everything', () => {
  const tests = testsOf(['features/operations/statistic/server/dashboard.ts'])
  expect(tests).toContain('features/operations/statistic/server/dashboard.test.ts')
  expect(tests).toContain('apps/server/openapi.test.ts')
  expect(tests.length).toBeLessThan(allTests.length / 3)
})

test('a changed test is run, with few others; a changed text runs few', () => {
  expect(testsOf(['features/posts/file/server/storage.test.ts'])).toContain('features/posts/file/server/storage.test.ts')
  expect(testsOf(['docs/domain.md']).length).toBeLessThan(allTests.length / 3)
})

test('a change of what everything stands on runs all of the gate', () => {
  for (const path of ['base/server/http/http.ts', 'package-lock.json', 'features/order.js', 'database/tables.ts', 'vitest.config.ts'])
    expect(testsOf([path])).toEqual(gateTests)
})

test('a word finds the files that have it in their path', () => {
  expect(testsNamed(['tools/test-files'])).toEqual(['tools/test-files.test.ts'])
})
