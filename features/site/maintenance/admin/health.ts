import type { AssistantHealth } from '#assistant/usage-contract.ts'
import type { ChannelView, HealthView } from '#maintenance/contract.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'

export const parts = [
  'program',
  'database',
  'disk',
  'files',
  'email',
  'sms',
  'jobs',
  'pages',
  'search',
  'backup',
  'payments',
  'assistant',
] as const
export type Part = (typeof parts)[number]
export type Status = 'well' | 'watch' | 'bad' | 'notSetUp' | 'unknown'

const gigabyte = 1e9
const dayMs = 86_400_000

/** The status of each part: whether it needs an action or attention. */
export function statusOf(health: HealthView, now: number): Record<Part, Status> {
  return {
    program: least([health.program.loopMs > 200, health.program.loopMs > 50]),
    database: least([
      health.database.pending > 0 || areCommitsBlocked(health),
      health.database.waitedFor > 0 || isReplicaLeft(health) || health.database.commits.state === 'waiting',
    ]),
    disk: least([isShort(health, 0.05, gigabyte), isShort(health, 0.15, 0)]),
    files: least([!health.files.isReachable, false]),
    email: channel(health.email),
    sms: channel(health.sms),
    jobs: health.jobs ? jobs(health.jobs) : 'unknown',
    pages: 'well',
    search: least([health.search.work?.state === 'failed' || !health.search.isReachable, health.search.waiting >= 1_000]),
    backup: least([health.backup.hasFailed, isOverdue(health.backup, now) || !health.backup.isRehearsed]),
    payments: health.payments.length === 0 ? 'notSetUp' : worst(health.payments.map((its) => payments(its, now))),
    assistant: health.assistant ? assistant(health.assistant) : 'notSetUp',
  }
}

/** So many failures in a row are more than a network glitch. */
export const reportedFailures = 3
/** Seconds after which an event in the inbox counts as late. */
export const lateInboxSeconds = 600

function payments(its: ProviderHealth, now: number): Status {
  const { failures, keyProblem, inboxSeconds, endings, suspended, lateOrders, lateRefunds, failedStatements } = its
  const [isFailing, isStuck] = [failures >= reportedFailures, (inboxSeconds ?? 0) > lateInboxSeconds]
  const isOver = endings.some(({ endsAt }) => Date.parse(endsAt) <= now)
  return least([
    isFailing || isStuck || isOver || (keyProblem !== null && keyProblem !== 'noAnswer'),
    keyProblem !== null || endings.length > 0 || suspended + lateOrders + lateRefunds + failedStatements > 0,
  ])
}

function assistant({ models, failing, budget: { state } }: NonNullable<AssistantHealth>): Status {
  return least([failing >= models || state === 'stopped', failing > 0 || state === 'warned'])
}

function worst(all: readonly Status[]): Status {
  return least([all.includes('bad'), all.includes('watch')])
}

function jobs({ oldestSeconds, failed }: NonNullable<HealthView['jobs']>): Status {
  const late = oldestSeconds ?? 0
  return least([late > 600, failed > 0 || late > 120])
}

function channel({ isSet, isNeeded, isIncomplete, isFailing }: ChannelView): Status {
  if (!isSet) return isNeeded ? 'bad' : 'notSetUp'
  return isIncomplete || isFailing ? 'bad' : 'well'
}

function least([isBad, isWatched]: readonly [boolean, boolean]): Status {
  if (isBad) return 'bad'
  return isWatched ? 'watch' : 'well'
}

/** Nobody can write. Behind a lock, some can. */
function areCommitsBlocked({ database: { commits } }: HealthView): boolean {
  return commits.waitsFor !== null && commits.waitsFor !== 'Lock'
}

/** Reads go to the primary, which may be too much for it. */
function isReplicaLeft({ database: { replica } }: HealthView): boolean {
  return replica !== null && replica.state !== 'up'
}

function isShort({ disk: { free, total } }: HealthView, part: number, bytes: number): boolean {
  return free < total * part || free < bytes
}

// A missed backup is reported after half a day.
function isOverdue({ at, days }: HealthView['backup'], now: number): boolean {
  return at === null || now - Date.parse(at) > ((days || 7) + 0.5) * dayMs
}
