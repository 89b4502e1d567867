import { expect, test } from 'vitest'
import type { BudgetView } from '#assistant/usage-contract.ts'
import { parts, statusOf } from '#maintenance/admin/health.ts'
import type { HealthView } from '#maintenance/contract.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'
import { wellProvider } from '#reconciliation/testing/provider-health.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const channel = { isSet: true, isNeeded: true, isIncomplete: false, waiting: 0, sentAt: null, failure: null, isFailing: false }
const payments: ProviderHealth = { ...wellProvider, name: 'alipay' }
const budget: BudgetView = { month: '2026-11', spent: '10.0000', most: '100.0000', share: 10, state: 'under' }
const health: HealthView = {
  program: { version: '1', node: '24', upSeconds: 60, memory: 1, loopMs: 1, loopWorstMs: 1 },
  database: {
    version: '18',
    isEmbedded: true,
    replica: null,
    commits: { state: 'up', waitsFor: null },
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
  email: channel,
  sms: channel,
  jobs: { waiting: 0, failed: 0, oldestSeconds: null },
  pages: { entries: 0, bytes: 0, asked: 0, found: 0 },
  search: { engine: 'postgres', isReachable: true, waiting: 0, work: null },
  backup: { at: '2026-11-22T03:00:00Z', isRehearsed: true, hasFailed: false, days: 1 },
  payments: [payments],
  assistant: { models: 2, failing: 0, budget },
}

test('every working part is well', () => {
  expect(statusOf(health, now)).toEqual(Object.fromEntries(parts.map((part) => [part, 'well'])))
})

test('a missing channel needs attention if members log in by it, and a present one if it fails', () => {
  const email = (more: Partial<HealthView['email']>) => statusOf({ ...health, email: { ...channel, ...more } }, now).email
  expect(email({ isSet: false, isNeeded: false })).toBe('notSetUp')
  for (const more of [{ isSet: false }, { isIncomplete: true }, { isFailing: true }]) expect(email(more)).toBe('bad')
})

test('jobs are never called well by a process that runs none', () => {
  expect(statusOf({ ...health, jobs: null }, now).jobs).toBe('unknown')
  expect(statusOf({ ...health, jobs: { waiting: 1, failed: 0, oldestSeconds: 700 } }, now).jobs).toBe('bad')
})

test('an unreachable search server or replica, or a replica that is behind, is reported', () => {
  expect(statusOf({ ...health, search: { ...health.search, isReachable: false } }, now).search).toBe('bad')
  const replicated = (replica: HealthView['database']['replica']) => statusOf({ ...health, database: { ...health.database, replica } }, now)
  expect(replicated({ state: 'away', lagSeconds: null }).database).toBe('watch')
  expect(replicated({ state: 'behind', lagSeconds: 9 }).database).toBe('watch')
  expect(replicated({ state: 'up', lagSeconds: 0.2 }).database).toBe('well')
})

test('a database in which nobody can write needs attention, and one with transactions behind a lock is worth a look', () => {
  const its = (commits: HealthView['database']['commits']) =>
    statusOf({ ...health, database: { ...health.database, commits } }, now).database
  expect(its({ state: 'waiting', waitsFor: 'SyncRep' })).toBe('bad')
  expect(its({ state: 'refused', waitsFor: 'read-only' })).toBe('bad')
  expect(its({ state: 'waiting', waitsFor: 'Lock' })).toBe('watch')
  expect(its({ state: 'waiting', waitsFor: null })).toBe('watch')
  expect(its({ state: 'unknown', waitsFor: null })).toBe('well')
})

test('payments need attention if they are stopped, and watching if events wait', () => {
  const its = (more: Partial<ProviderHealth>) => statusOf({ ...health, payments: [payments, { ...payments, ...more }] }, now).payments
  const [over, soon] = ['2026-11-22T11:00:00Z', '2026-12-01T00:00:00Z'].map((endsAt) => ({ endings: [{ name: 'Certificate', endsAt }] }))
  for (const more of [{ failures: 3 }, { inboxSeconds: 601 }, { keyProblem: 'wrongKey' }, { keyProblem: 'notSet' }, over] as const)
    expect(its({ ...more })).toBe('bad')
  for (const more of [
    { suspended: 1 },
    { lateOrders: 1 },
    { lateRefunds: 1 },
    { failedStatements: 1 },
    { keyProblem: 'noAnswer' },
    soon,
  ] as const)
    expect(its({ ...more })).toBe('watch')
  for (const more of [{ failures: 2 }, { inboxSeconds: 600 }]) expect(its(more)).toBe('well')
  expect(statusOf({ ...health, payments: [] }, now).payments).toBe('notSetUp')
})

test('the assistant needs attention without a working model or budget, and watching before that', () => {
  const its = (more: Partial<NonNullable<HealthView['assistant']>>) =>
    statusOf({ ...health, assistant: { models: 2, failing: 0, budget, ...more } }, now).assistant
  for (const more of [{ models: 0 }, { failing: 2 }, { budget: { ...budget, state: 'stopped' as const } }]) expect(its(more)).toBe('bad')
  for (const more of [{ failing: 1 }, { budget: { ...budget, state: 'warned' as const } }]) expect(its(more)).toBe('watch')
  expect(statusOf({ ...health, assistant: null }, now).assistant).toBe('notSetUp')
})
