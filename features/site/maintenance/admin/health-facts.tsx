import { Fragment, type ReactNode } from 'react'
import type { AssistantHealth } from '#assistant/usage-contract.ts'
import { formatSize } from '#base/size.ts'
import { Time } from '#base/web/time.tsx'
import type { Translate } from '#base/web/words.tsx'
import { reportedFailures, lateInboxSeconds, type Part } from '#maintenance/admin/health.ts'
import type { ChannelView, HealthView } from '#maintenance/contract.ts'
import type { ProviderHealth } from '#reconciliation/contract.ts'

type Facts = readonly (readonly [name: string, said: ReactNode])[]

/** The facts of each part, by name. */
export function factsOf(health: HealthView, words: Translate, now: number): Record<Part, Facts> {
  return {
    program: ofProgram(health, words),
    database: ofDatabase(health, words),
    disk: [
      [words('free'), formatSize(health.disk.free)],
      [words('total'), formatSize(health.disk.total)],
    ],
    files: [
      [words('place'), words(health.files.isStore ? 'inStore' : 'onDisk')],
      [words('answers'), words(health.files.isReachable ? 'yes' : 'no')],
    ],
    email: ofChannel(health.email, words),
    sms: ofChannel(health.sms, words),
    jobs: health.jobs ? ofJobs(health.jobs, words) : [],
    pages: ofPages(health, words),
    search: [
      [words('engine'), words(health.search.engine === 'opensearch' ? 'inServer' : 'inDatabase')],
      [words('answers'), words(health.search.isReachable ? 'yes' : 'no')],
      [words('toEnter'), words(health.search.waiting >= 1_000 ? 'orMore' : 'number', { count: health.search.waiting })],
    ],
    backup: [
      [words('lastTry'), lastBackup(health, words)],
      [words('rehearsed'), words(health.backup.isRehearsed ? 'yes' : 'no')],
    ],
    payments: health.payments.map((its) => [words('paymentProvider', { name: its.name }), providerFacts(its, words, now)]),
    assistant: health.assistant ? ofAssistant(health.assistant, words) : [],
  }
}

function ofProgram({ program }: HealthView, words: Translate): Facts {
  const minutes = Math.floor(program.upSeconds / 60)
  const up = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
  return [
    ['Teahouse', program.version],
    ['Node.js', program.node],
    [words('up'), words('upFor', up)],
    [words('memory'), formatSize(program.memory)],
    [words('loop'), words('loopMs', { ms: program.loopMs, worst: program.loopWorstMs })],
  ]
}

function ofDatabase({ database }: HealthView, words: Translate): Facts {
  return [
    ['PostgreSQL', words(database.isEmbedded ? 'embedded' : 'ownServer', { version: database.version })],
    ...(database.replica ? ofReplica(database.replica, words) : []),
    [words('commits'), commitWords(database.commits, words)],
    [words('migration'), database.pending > 0 ? words('pendingMigrations', { count: database.pending }) : database.migration],
    [words('size'), formatSize(database.bytes)],
    [words('connections'), words('waitFor', { count: database.connections, waiting: database.waitedFor })],
    [words('hit'), database.hit === null ? words('unasked') : words('percent', { part: rounded(database.hit) })],
  ]
}

const waitWords: Record<string, string> = {
  SyncRep: 'commitsSyncRep',
  Lock: 'commitsLock',
  'read-only': 'commitsReadOnly',
  disk: 'commitsDisk',
}

function commitWords({ state, waitsFor }: HealthView['database']['commits'], words: Translate): string {
  if (waitsFor === null && state !== 'waiting') return words(state === 'up' ? 'commitsUp' : 'commitsUnknown')
  const known = waitWords[waitsFor ?? '']
  return known ? words(known) : words('commitsWait', { event: waitsFor ?? '?' })
}

const replicaWords = { up: 'replicaUp', behind: 'replicaBehind', away: 'replicaAway' } as const

function ofReplica({ state, lagSeconds }: NonNullable<HealthView['database']['replica']>, words: Translate): Facts {
  return [
    [words('replica'), words(replicaWords[state])],
    ...(lagSeconds === null ? [] : [[words('replicaLag'), words('seconds', { count: lagSeconds })] as const]),
  ]
}

function ofChannel({ isSet, isNeeded, isIncomplete, waiting, sentAt, failure }: ChannelView, words: Translate): Facts {
  const none = isNeeded ? 'neededChannel' : 'noProvider'
  const set = isIncomplete ? 'incomplete' : 'yes'
  return [
    [words('setUp'), words(isSet ? set : none)],
    [words('waitingJobs'), words('number', { count: waiting })],
    [words('lastSent'), sentAt ? <Time key="at" at={sentAt} /> : words('never')],
    [
      words('lastFailure'),
      failure ? (
        <Fragment key="failure">
          <Time at={failure.at} />
          {failure.error && `: ${failure.error}`}
        </Fragment>
      ) : (
        words('never')
      ),
    ],
  ]
}

function ofJobs({ waiting, oldestSeconds, failed }: NonNullable<HealthView['jobs']>, words: Translate): Facts {
  return [
    [words('waitingJobs'), words('number', { count: waiting })],
    [words('oldest'), oldestSeconds === null ? words('nothingLate') : words('seconds', { count: oldestSeconds })],
    [words('failedJobs'), words('number', { count: failed })],
  ]
}

function lastBackup({ backup: { at, hasFailed } }: HealthView, words: Translate): string {
  if (hasFailed) return words('lastFailed')
  return words(at === null ? 'never' : 'lastWell')
}

function providerFacts(its: ProviderHealth, words: Translate, now: number): string {
  const { failures, keyProblem, inboxSeconds, endings, suspended, unreadable, lateOrders, lateRefunds, failedStatements } = its
  const sentences = [
    failures >= reportedFailures && words('paymentsFailing', { count: failures }),
    (inboxSeconds ?? 0) > lateInboxSeconds && words('paymentsInbox', { count: Math.floor((inboxSeconds ?? 0) / 60) }),
    keyProblem && words('paymentsKeys', { problem: keyProblem }),
    ...endings.map((ending) => endingOf(ending, words, now)),
    suspended > 0 && words('paymentsSuspended', { count: suspended }),
    unreadable > 0 && words('paymentsUnreadable', { count: unreadable }),
    lateOrders > 0 && words('paymentsLate', { count: lateOrders }),
    lateRefunds > 0 && words('paymentsLateRefunds', { count: lateRefunds }),
    failedStatements > 0 && words('paymentsFailedStatements', { count: failedStatements }),
  ].filter((sentence) => typeof sentence === 'string')
  return sentences.length > 0 ? sentences.join(' ') : words('paymentsWell')
}

function endingOf({ name, endsAt }: ProviderHealth['endings'][number], words: Translate, now: number): string {
  const days = Math.ceil((Date.parse(endsAt) - now) / 86_400_000)
  return days > 0 ? words('paymentsEnding', { name, count: days }) : words('paymentsEnded', { name })
}

function ofAssistant({ models, failing, budget }: NonNullable<AssistantHealth>, words: Translate): Facts {
  const { state, spent, most, share } = budget
  return [
    [words('assistantModels'), failing > 0 ? words('assistantFailing', { count: models, failing }) : words('number', { count: models })],
    [words('assistantBudget'), words('assistantSpent', { state, spent: Number(spent), most: Number(most), share })],
  ]
}

function ofPages({ pages: { entries, bytes, asked, found } }: HealthView, words: Translate): Facts {
  return [
    [words('kept'), words('keptPages', { count: entries, size: formatSize(bytes) })],
    [words('foundKept'), asked === 0 ? words('unasked') : words('percent', { part: rounded(found / asked) })],
  ]
}

function rounded(part: number): number {
  return Math.round(part * 1_000) / 10
}
