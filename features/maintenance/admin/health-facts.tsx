import { Fragment, type ReactNode } from 'react'
import { sizeOf } from '#base/size.ts'
import { Time } from '#base/web/time.tsx'
import type { Say } from '#base/web/words.tsx'
import type { Part } from '#maintenance/admin/health.ts'
import type { ChannelView, HealthView } from '#maintenance/contract.ts'

type Facts = readonly (readonly [name: string, said: ReactNode])[]

/** What is said of each part, by name. */
export function factsOf(told: HealthView, words: Say): Record<Part, Facts> {
  return {
    program: ofProgram(told, words),
    database: ofDatabase(told, words),
    disk: [
      [words('free'), sizeOf(told.disk.free)],
      [words('total'), sizeOf(told.disk.total)],
    ],
    files: [
      [words('place'), words(told.files.isStore ? 'inStore' : 'onDisk')],
      [words('answers'), words(told.files.isReachable ? 'yes' : 'no')],
    ],
    email: ofChannel(told.email, words),
    sms: ofChannel(told.sms, words),
    jobs: told.jobs ? ofJobs(told.jobs, words) : [],
    pages: ofPages(told, words),
    search: [
      [words('engine'), words(told.search.engine === 'opensearch' ? 'inServer' : 'inDatabase')],
      [words('answers'), words(told.search.isReachable ? 'yes' : 'no')],
      [words('toEnter'), words(told.search.waiting >= 1_000 ? 'orMore' : 'number', { count: told.search.waiting })],
    ],
    backup: [
      [words('lastTry'), lastBackup(told, words)],
      [words('rehearsed'), words(told.backup.isRehearsed ? 'yes' : 'no')],
    ],
  }
}

function ofProgram({ program }: HealthView, words: Say): Facts {
  const minutes = Math.floor(program.upSeconds / 60)
  const up = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
  return [
    ['Teahouse', program.version],
    ['Node.js', program.node],
    [words('up'), words('upFor', up)],
    [words('memory'), sizeOf(program.memory)],
    [words('loop'), words('loopMs', { ms: program.loopMs, worst: program.loopWorstMs })],
  ]
}

function ofDatabase({ database }: HealthView, words: Say): Facts {
  return [
    ['PostgreSQL', words(database.isEmbedded ? 'embedded' : 'ownServer', { version: database.version })],
    ...(database.replica ? [[words('replica'), words(database.replica === 'up' ? 'replicaUp' : 'replicaAway')] as const] : []),
    [words('migration'), database.pending > 0 ? words('pendingMigrations', { count: database.pending }) : database.migration],
    [words('size'), sizeOf(database.bytes)],
    [words('connections'), words('waitFor', { count: database.connections, waiting: database.waitedFor })],
    [words('hit'), database.hit === null ? words('unasked') : words('percent', { part: rounded(database.hit) })],
  ]
}

function ofChannel({ isSet, isNeeded, isIncomplete, waiting, sentAt, failure }: ChannelView, words: Say): Facts {
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

function ofJobs({ waiting, oldestSeconds, failed }: NonNullable<HealthView['jobs']>, words: Say): Facts {
  return [
    [words('waitingJobs'), words('number', { count: waiting })],
    [words('oldest'), oldestSeconds === null ? words('nothingLate') : words('seconds', { count: oldestSeconds })],
    [words('failedJobs'), words('number', { count: failed })],
  ]
}

function lastBackup({ backup: { at, hasFailed } }: HealthView, words: Say): string {
  if (hasFailed) return words('lastFailed')
  return words(at === null ? 'never' : 'lastWell')
}

function ofPages({ pages: { entries, bytes, asked, found } }: HealthView, words: Say): Facts {
  return [
    [words('kept'), words('keptPages', { count: entries, size: sizeOf(bytes) })],
    [words('foundKept'), asked === 0 ? words('unasked') : words('percent', { part: rounded(found / asked) })],
  ]
}

function rounded(part: number): number {
  return Math.round(part * 1_000) / 10
}
