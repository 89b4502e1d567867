import type { Registry } from 'prom-client'
import { gauge, prometheus, valuesBy, type Value } from '#apps/server/metric.ts'
import type { Database } from '#base/server/database/database.ts'
import { queues } from '#base/server/jobs/jobs.ts'
import { unattendedSeconds } from '#base/server/jobs/unattended.ts'
import * as assistant from '#assistant/server/assistant.ts'
import { diskSpace } from '#maintenance/server/backups.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'
import * as reconciliation from '#reconciliation/server/reconciliation.ts'
import { booksState } from '#wallet/server/books-state.ts'

/** Metrics of the forum as a whole, which each process would report alike: the one that answers adds them. */
export function forumMetrics(database: Database, dataDir: string): Registry {
  const registry = new (prometheus().Registry)()
  measureJobs(registry, database)
  gauge(
    registry,
    {
      name: 'teahouse_books',
      help: 'Ledger of points and balance: frozen or not, breaches in the last checks, and overdue checks.',
      labelNames: ['what'],
    },
    async () => {
      const { frozen, looks, late } = await booksState(database.reader)
      return valuesBy('what', {
        frozen: frozen ? 1 : 0,
        breaches: looks.reduce((sum, { breaches }) => sum + breaches.length, 0),
        late_new: late.some(({ of }) => of === 'new') ? 1 : 0,
        late_full: late.some(({ of }) => of === 'full') ? 1 : 0,
      })
    },
  )
  gauge(
    registry,
    {
      name: 'teahouse_payments',
      help: 'Payments by provider: failures in a row, age of pending events, late orders and refunds, days until a key expires.',
      labelNames: ['provider', 'what'],
    },
    async () => (await reconciliation.health(database.reader)).flatMap(paymentValues),
  )
  gauge(
    registry,
    {
      name: 'teahouse_assistant',
      help: 'AI assistant: running answers of all servers, available and failing models, hundredths of the monthly budget that are used.',
      labelNames: ['what'],
    },
    async () => {
      const [running, health] = await Promise.all([assistant.running(database.reader), assistant.health(database.reader)])
      const { models = 0, failing = 0 } = health ?? {}
      return valuesBy('what', { running, models, failing, budget_share: health?.budget.share ?? 0 })
    },
  )
  const disk = 'Disk of the data folder in bytes: free and total.'
  gauge(registry, { name: 'teahouse_disk_bytes', help: disk, labelNames: ['what'] }, async () => valuesBy('what', await diskSpace(dataDir)))
  return registry
}

function measureJobs(registry: Registry, { app }: Database): void {
  const help = 'Waiting, running and recently failed jobs, as last counted.'
  gauge(registry, { name: 'teahouse_jobs', help, labelNames: ['job', 'state'] }, async () =>
    (await queues(app)).flatMap(({ name, readyCount, activeCount, failedCount }) => [
      { labels: { job: name, state: 'waiting' }, value: readyCount },
      { labels: { job: name, state: 'running' }, value: activeCount },
      { labels: { job: name, state: 'failed' }, value: failedCount },
    ]),
  )
  const unattended = 'Seconds since a process that runs jobs was last seen, which happens twice a minute; infinite if never.'
  gauge(registry, { name: 'teahouse_jobs_unattended_seconds', help: unattended }, async () => [
    { labels: {}, value: (await unattendedSeconds(app)) ?? Infinity },
  ])
}

function paymentValues({ name, endings, ...its }: ProviderHealth): Value[] {
  const ends = endings.map(({ endsAt }) => (Date.parse(endsAt) - Date.now()) / 86_400_000)
  const values = {
    failures: its.failures,
    waiting_seconds: its.inboxSeconds ?? 0,
    suspended: its.suspended,
    unreadable: its.unreadable,
    late_orders: its.lateOrders,
    late_refunds: its.lateRefunds,
    failed_statements: its.failedStatements,
    ...(ends.length > 0 && { days_left: Math.min(...ends) }),
  }
  return valuesBy('what', values).map(({ labels, value }) => ({ labels: { provider: name, ...labels }, value }))
}
