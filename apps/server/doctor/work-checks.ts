import type { Check } from '#apps/server/doctor/check.ts'
import { bad, ok, warn, type Finding } from '#apps/server/doctor/finding.ts'
import { jobTroubles } from '#base/server/jobs/job-board.ts'
import { maxUnattendedSeconds, unattendedSeconds } from '#base/server/jobs/unattended.ts'
import type { ChannelView } from '#maintenance/contract.ts'
import { booksState } from '#wallet/server/books-state.ts'

const dayMs = 86_400_000
const maxJobDelaySeconds = 600
const [maxBackupDays, maxRehearsalDays] = [2, 30]

export const jobsDone: Check<'database'> = {
  needs: ['database'],
  async run({ database: { pools } }) {
    const { failed, lateSeconds } = await jobTroubles(pools.app)
    return [
      failed > 0 ? warn('jobsFailed', { count: failed }) : ok('jobsDone'),
      lateSeconds > maxJobDelaySeconds ? bad('jobsLate', { minutes: Math.floor(lateSeconds / 60) }) : ok('jobsPrompt'),
    ]
  },
}

export const jobsAttended: Check<'database'> = {
  needs: ['database'],
  async run({ database: { pools } }) {
    const seconds = await unattendedSeconds(pools.app)
    return seconds !== null && seconds <= maxUnattendedSeconds ? ok('jobsAttended') : bad('jobsUnattended')
  },
}

export const books: Check<'database'> = {
  needs: ['database'],
  async run({ database: { pools } }) {
    const { frozen, late } = await booksState(pools.app)
    return [
      frozen ? bad('booksFrozen', { reason: frozen.reason }) : ok('booksOpen'),
      late.length > 0 ? bad('booksLate') : ok('booksChecked'),
    ]
  },
}

export const backups: Check<'health' | 'database'> = {
  needs: ['health', 'database'],
  async run({ health: { backup }, database: { pools } }) {
    return [backup.hasFailed ? bad('backupFailed') : lastBackup(backup.at), lastRehearsal(await rehearsedAt(pools.app))]
  },
}

function lastBackup(at: string | null): Finding {
  if (at === null) return bad('backupNone')
  const days = daysSince(new Date(at))
  return days > maxBackupDays ? warn('backupOld', { days }) : ok('backupRecent')
}

function lastRehearsal(at: Date | null): Finding {
  if (at === null) return warn('rehearsalNone')
  const days = daysSince(at)
  return days > maxRehearsalDays ? warn('rehearsalOld', { days }) : ok('rehearsalRecent')
}

async function rehearsedAt(db: Parameters<typeof booksState>[0]): Promise<Date | null> {
  const row = await db
    .selectFrom('maintenance_task')
    .select('ended_at')
    .where('kind', '=', 'rehearsal')
    .where('state', '=', 'done')
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ended_at ?? null
}

function daysSince(at: Date): number {
  return Math.floor((Date.now() - at.getTime()) / dayMs)
}

export const email: Check<'health'> = {
  needs: ['health'],
  run({ health }) {
    if (!health.email.isSet) return health.email.isNeeded ? bad('emailNeeded') : warn('emailUnset')
    if (health.email.isIncomplete) return bad('emailIncomplete')
    return health.email.isFailing ? bad('emailFailing', { error: errorOf(health.email) }) : ok('emailSent')
  },
}

export const textMessages: Check<'health'> = {
  needs: ['health'],
  run({ health }) {
    if (!health.sms.isSet) return health.sms.isNeeded ? bad('smsNeeded') : []
    if (health.sms.isIncomplete) return bad('smsIncomplete')
    return health.sms.isFailing ? bad('smsFailing', { error: errorOf(health.sms) }) : ok('smsSent')
  },
}

function errorOf({ failure }: ChannelView): string {
  return failure?.error ?? '?'
}

export const assistantModels: Check<'health'> = {
  needs: ['health'],
  run({ health: { assistant } }) {
    if (assistant === null) return []
    const { failing, models, budget } = assistant
    return [
      failing === 0 ? ok('assistantAnswers') : (failing < models ? warn : bad)('modelsFailing', { failing, count: models }),
      ...(budget.state === 'stopped' ? [bad('budgetSpent')] : []),
    ]
  },
}

export const searchEngine: Check<'health'> = {
  needs: ['health'],
  run: ({ health: { search } }) => (search.isReachable ? ok('searchAnswers') : bad('searchAway')),
}
