import type { AssistantHealth } from '#assistant/usage-contract.ts'
import type { ChannelView, HealthView } from '#maintenance/contract.ts'
import type { ProviderHealth } from '#payment/event-contract.ts'

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
export type Standing = 'well' | 'watch' | 'bad' | 'notSetUp' | 'unknown'

const gigabyte = 1e9
const dayMs = 86_400_000

/** The status of each part: whether it needs an action or attention. */
export function standingOf(told: HealthView, now: number): Record<Part, Standing> {
  return {
    program: least([told.program.loopMs > 200, told.program.loopMs > 50]),
    database: least([told.database.pending > 0, told.database.waitedFor > 0 || told.database.replica === 'away']),
    disk: least([isShort(told, 0.05, gigabyte), isShort(told, 0.15, 0)]),
    files: least([!told.files.isReachable, false]),
    email: channel(told.email),
    sms: channel(told.sms),
    jobs: told.jobs ? jobs(told.jobs) : 'unknown',
    pages: 'well',
    search: least([told.search.work?.state === 'failed' || !told.search.isReachable, told.search.waiting >= 1_000]),
    backup: least([told.backup.hasFailed, isOld(told.backup, now) || !told.backup.isRehearsed]),
    payments: told.payments.length === 0 ? 'notSetUp' : worst(told.payments.map((its) => payments(its, now))),
    assistant: told.assistant ? assistant(told.assistant) : 'notSetUp',
  }
}

/** So many failures in a row are more than a network glitch. */
export const failuresTold = 3
/** Seconds after which an event in the inbox counts as late. */
export const inboxSecondsTold = 600

function payments(its: ProviderHealth, now: number): Standing {
  const { failures, keyProblem, inboxSeconds, endings, suspended, lateOrders, lateRefunds } = its
  const [isFailing, isStuck] = [failures >= failuresTold, (inboxSeconds ?? 0) > inboxSecondsTold]
  const isOver = endings.some(({ endsAt }) => Date.parse(endsAt) <= now)
  return least([
    isFailing || isStuck || isOver || (keyProblem !== null && keyProblem !== 'noAnswer'),
    keyProblem !== null || endings.length > 0 || suspended + lateOrders + lateRefunds > 0,
  ])
}

function assistant({ models, failing, budget: { state } }: NonNullable<AssistantHealth>): Standing {
  return least([failing >= models || state === 'stopped', failing > 0 || state === 'warned'])
}

function worst(all: readonly Standing[]): Standing {
  return least([all.includes('bad'), all.includes('watch')])
}

function jobs({ oldestSeconds, failed }: NonNullable<HealthView['jobs']>): Standing {
  const late = oldestSeconds ?? 0
  return least([late > 600, failed > 0 || late > 120])
}

function channel({ isSet, isNeeded, isIncomplete, isFailing }: ChannelView): Standing {
  if (!isSet) return isNeeded ? 'bad' : 'notSetUp'
  return isIncomplete || isFailing ? 'bad' : 'well'
}

function least([isBad, isWatched]: readonly [boolean, boolean]): Standing {
  if (isBad) return 'bad'
  return isWatched ? 'watch' : 'well'
}

function isShort({ disk: { free, total } }: HealthView, part: number, bytes: number): boolean {
  return free < total * part || free < bytes
}

// A missed backup is reported after half a day.
function isOld({ at, days }: HealthView['backup'], now: number): boolean {
  return at === null || now - Date.parse(at) > ((days || 7) + 0.5) * dayMs
}
