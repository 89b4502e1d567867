import { expect, test } from 'vitest'
import { parts, standingOf } from '#maintenance/admin/health.ts'
import type { HealthView } from '#maintenance/contract.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const told: HealthView = {
  program: { version: '1', node: '24', upSeconds: 60, memory: 1, loopMs: 1, loopWorstMs: 1 },
  database: {
    version: '18',
    isEmbedded: true,
    hasReplica: false,
    migration: '',
    pending: 0,
    connections: 1,
    waitedFor: 0,
    hit: 1,
    bytes: 1,
    tables: [],
  },
  disk: { free: 9e9, total: 1e10 },
  files: { isStore: false, isReachable: true },
  hasMail: true,
  jobs: { isRun: true, waiting: 0, failed: 0, oldestSeconds: null },
  pages: { entries: 0, bytes: 0, asked: 0, found: 0 },
  search: { engine: 'database', waiting: 0, work: null },
  backup: { at: '2026-11-22T03:00:00Z', isRehearsed: true, hasFailed: false, days: 1 },
}

test('what works is well, and mail that is not there is not set up, which needs nobody', () => {
  expect(standingOf(told, now)).toEqual(Object.fromEntries(parts.map((part) => [part, 'well'])))
  expect(standingOf({ ...told, hasMail: false }, now).mail).toBe('notSetUp')
})
