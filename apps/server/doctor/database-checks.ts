import type { Check } from '#apps/server/doctor/check.ts'
import { bad, ok, unknown, warn } from '#apps/server/doctor/finding.ts'
import { supportOf } from '#apps/server/doctor/postgres-support.ts'
import { connectionShortage, knowsLetters } from '#apps/server/machine-check.ts'
import { clockSkewSeconds, maxClockSkewSeconds, settingsOff } from '#apps/server/preflight.ts'
import { assertLimits } from '#apps/server/session-checks.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { poolingAt } from '#base/server/database/pooling.ts'
import { pending } from '#database/migrate.ts'
import { assertSuitable } from '#database/suitable.ts'

const maxLagSeconds = 60

type DatabaseCheck = Check<'database'>

/** Version, encoding, extensions, time zones. */
export const suitability: DatabaseCheck = {
  needs: ['database'],
  run: ({ database: { asOwner } }) => refusals(() => asOwner(assertSuitable), 'databaseUnsuitable', 'databaseSuitable'),
}

/** The version gets corrections still. */
export const support: DatabaseCheck = {
  needs: ['database'],
  async run({ database: { asOwner } }) {
    const { rows } = await asOwner((client) =>
      client.query<{ major: number }>(`select current_setting('server_version_num')::int / 10000 as major`),
    )
    return supportOf(rows[0]?.major ?? 0, Date.now())
  },
}

/** The limits of statements, read back from sessions: a pooler may give others than were asked for. */
export const limits: DatabaseCheck = {
  needs: ['database'],
  run: ({ database: { pools } }) => refusals(() => assertLimits(pools), 'limitsLost', 'limitsKept'),
}

async function refusals(assert: () => Promise<void>, wrong: string, right: string) {
  try {
    await assert()
    return ok(right)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return error.message.split('\n').map((problem) => bad(wrong, { problem }))
  }
}

export const letters: DatabaseCheck = {
  needs: ['database'],
  run: async ({ database: { asOwner } }) => ((await asOwner(knowsLetters)) ? ok('lettersKnown') : warn('lettersUnknown')),
}

export const migrationsRun: DatabaseCheck = {
  needs: ['database'],
  async run({ database: { asOwner } }) {
    const { length: count } = await asOwner(pending)
    return count === 0 ? ok('migrated') : bad('migrationsPending', { count })
  },
}

export const durability: DatabaseCheck = {
  needs: ['database'],
  async run({ database: { asOwner } }) {
    const names = await asOwner(settingsOff)
    return names.length === 0 ? ok('durable') : bad('settingsOff', { names: names.join(', ') })
  },
}

export const clock: DatabaseCheck = {
  needs: ['database'],
  async run({ database: { asOwner } }) {
    const seconds = await asOwner(clockSkewSeconds)
    return seconds <= maxClockSkewSeconds ? ok('clockRight') : bad('clockWrong', { seconds })
  },
}

export const connections: DatabaseCheck = {
  needs: ['database'],
  async run({ config, isEmbedded, database: { asOwner } }) {
    const short = await asOwner((client) => connectionShortage(client, { ...config, isEmbedded }))
    return short ? warn('connectionsFew', { max: short.max, needed: short.needed }) : ok('connectionsEnough')
  },
}

type Standbys = { isStandby: boolean; names: string; synchronous: number; seesAll: boolean; lagSeconds: number }

const standbysSql = `
      select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') as names,
        (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as synchronous,
        (select coalesce(extract(epoch from max(replay_lag)), 0)::float8 from pg_stat_replication) as "lagSeconds",
        pg_has_role('pg_read_all_stats', 'usage') as "seesAll"`

/** Whether this is a primary, and its synchronous standbys are there: without one, every commit waits. */
export const standbys: DatabaseCheck = {
  needs: ['database'],
  async run({ database: { asOwner } }) {
    const { rows } = await asOwner((client) => client.query<Standbys>(standbysSql))
    const [found] = rows
    if (!found) return []
    const { isStandby, names, synchronous, seesAll, lagSeconds } = found
    if (isStandby) return bad('standby')
    if (lagSeconds > maxLagSeconds) return warn('standbyLate', { seconds: Math.round(lagSeconds) })
    if (names === '' || synchronous > 0) return ok('primary')
    return seesAll ? bad('standbyAway', { names }) : unknown('standbysUnseen', { names })
  },
}

export const pooler: DatabaseCheck = {
  needs: ['database'],
  async run({ isEmbedded, config: { databaseUrl, directUrl } }) {
    if (isEmbedded || databaseUrl === null) return []
    const { mode, keepsStatements } = await poolingAt(databaseUrl)
    if (mode === 'statement' || (mode === 'transaction' && !directUrl)) return bad('poolerMode', { mode })
    return keepsStatements ? ok('poolerWell', { mode }) : warn('poolerForgets')
  },
}

/** Whether anything can be written, as the forum last tried. */
export const commits: Check<'health'> = {
  needs: ['health'],
  run({ health: { database } }) {
    const { state, waitsFor } = database.commits
    if (state === 'up') return ok('commitsMade')
    if (state === 'unknown') return unknown('commitsUntried')
    if (waitsFor === 'Lock') return warn('commitsLocked')
    return bad('commitsBlocked', { event: waitsFor ?? '?', cause: waitsFor?.replace('-', '') ?? 'other' })
  },
}

export const replica: Check<'health'> = {
  needs: ['health'],
  run({ health: { database } }) {
    if (database.replica === null) return []
    const { state, lagSeconds } = database.replica
    if (state === 'up') return ok('replicaFollows', { seconds: lagSeconds ?? 0 })
    return state === 'away' ? bad('replicaGone') : warn('replicaLate', { seconds: lagSeconds ?? 0 })
  },
}
