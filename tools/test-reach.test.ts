import { expect, test } from 'vitest'
import { allTests } from './test-files.ts'
import { changedSince } from './commit.ts'
import { reachOf } from './test-reach.ts'

test('a change of a feature reaches its tests, those of its dependents, and those that name it', () => {
  const { near, all, features } = reachOf(['features/threads/comment/server/list.ts'])
  expect(features).toEqual(['comment'])
  expect(near).toContain('features/threads/comment/server/comment.test.ts')
  expect(near).not.toContain('features/moderation/content/server/content.test.ts')
  expect(all).toContain('features/threads/comment/server/comment.test.ts')
  expect(all).toContain('features/moderation/content/server/content.test.ts')
  expect(all).toContain('features/ledger/wallet/server/points.test.ts')
  expect(all).not.toContain('features/foundation/delivery/server/sms.test.ts')
})

test('a change of the settings that a feature declares reaches all that read settings', () => {
  const { all } = reachOf(['features/site/statistic/settings.ts'])
  expect(all).toContain('features/foundation/setting/server/settings.test.ts')
  expect(all).toContain('features/ledger/wallet/server/points.test.ts')
})

test('a change of the last feature in the order reaches little', () => {
  const { all } = reachOf(['features/site/statistic/server/dashboard.ts'])
  expect(all).toContain('features/site/statistic/server/dashboard.test.ts')
  expect(all.size).toBeLessThan(allTests.length / 3)
})

test('a changed test is near, and nothing else; a changed text reaches nothing', () => {
  const path = 'features/foundation/file/server/storage.test.ts'
  expect([...reachOf([path]).all]).toEqual([path])
  expect([...reachOf(['docs/domain.md']).all]).toEqual([])
})

test('a change of a foundation reaches every test, and is near those beside it', () => {
  for (const path of ['base/server/http/http.ts', 'package-lock.json', 'features/order.js', 'database/tables.ts', 'vitest.config.ts'])
    expect(reachOf([path]).all.size).toBe(allTests.length)
  const { near } = reachOf(['base/server/http/http.ts'])
  expect(near).toContain('base/server/http/http.test.ts')
  expect(near).not.toContain('base/server/cache/page-cache.test.ts')
})

test('a changed helper of journeys is near the journeys that use it, also through another helper', () => {
  const { near } = reachOf(['e2e/payments.ts'])
  expect(near).toContain('e2e/payment-staff.spec.ts')
  expect(near).toContain('e2e/every-staff-screen.spec.ts')
  expect(near).not.toContain('e2e/poll.spec.ts')
})

test('a migration is near the tests of the folder above, and its generated files near none', () => {
  expect(reachOf(['database/migrations/0001-ground.sql']).near).toContain('database/migrate.test.ts')
  expect([...reachOf(['database/tables.ts', 'database/guards.txt']).near]).toEqual([])
})

test('a changed file is near the tests that import it, and pages of a feature near the journey of its name', () => {
  expect(reachOf(['base/server/http/site-address.ts']).near).toContain('features/commerce/payment/server/sandbox-local.test.ts')
  expect(reachOf(['features/threads/poll/web/poll.tsx']).near).toContain('e2e/poll.spec.ts')
  expect(reachOf(['features/threads/poll/server/poll.ts']).near).not.toContain('e2e/poll.spec.ts')
})

test('a commit that does not exist is refused', () => {
  expect(() => changedSince('mian')).toThrow('There is no commit mian')
})
