import { sql } from 'kysely'
import * as assistant from '#assistant/server/assistant.ts'
import type { Db } from '#base/server/database/database.ts'
import { programVersion } from '#base/server/program-version.ts'
import { queueBoard, pendingJobs } from '#base/server/jobs/job-board.ts'
import { runningEmbedded } from '#base/server/postgres/embedded.ts'
import { migrations } from '#database/migrate.ts'
import * as delivery from '#delivery/server/delivery.ts'
import type { ChannelHealth } from '#delivery/server/delivery.ts'
import * as file from '#file/server/file.ts'
import type { ChannelView, HealthView } from '#maintenance/contract.ts'
import * as backups from '#maintenance/server/backups.ts'
import { loopDelay } from '#maintenance/server/loop-delay.ts'
import { backupsFolder, failed, maintenanceContext } from '#maintenance/server/maintenance.ts'
import { newest, rehearsalsOf } from '#maintenance/server/work-view.ts'
import * as reconciliation from '#reconciliation/server/reconciliation.ts'
import * as search from '#search/server/search.ts'
import * as setting from '#setting/server/setting.ts'

const tablesShown = 8

export async function show(db: Db): Promise<HealthView> {
  const { config, cache } = maintenanceContext()
  const [database, disk, files, sending, jobs, found, backup, payments, assisting] = await Promise.all([
    databaseNow(db),
    backups.diskSpace(config.dataDir),
    file.storageStatus(db),
    delivery.health(db),
    jobsNow(),
    searchNow(db),
    backupNow(db),
    paymentsNow(db),
    assistant.health(db),
  ])
  return {
    program: programNow(),
    database,
    disk,
    files,
    email: channelOf(sending.email),
    sms: channelOf(sending.sms),
    jobs,
    pages: { entries: cache.entries, bytes: cache.bytes, asked: cache.hits + cache.misses, found: cache.hits },
    search: found,
    backup,
    payments,
    assistant: assisting,
  }
}

function programNow(): HealthView['program'] {
  const { p99, worst } = loopDelay()
  return {
    version: programVersion,
    node: process.version,
    upSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage.rss(),
    loopMs: p99,
    loopWorstMs: worst,
  }
}

type DatabaseStats = { version: string; bytes: string; connections: number; hit: number | null }

async function databaseNow(db: Db): Promise<HealthView['database']> {
  const { config, database } = maintenanceContext()
  const [stood, tables, ran, known] = await Promise.all([
    sql<DatabaseStats>`
      select current_setting('server_version') as version, pg_database_size(datid) as bytes, numbackends as connections,
        blks_hit::float8 / nullif(blks_hit + blks_read, 0) as hit
      from pg_stat_database where datname = current_database()`.execute(db),
    tablesIn(db),
    sql<{ name: string }>`select name from migration order by name`.execute(db),
    migrations(),
  ])
  const { version = '', bytes = '0', connections = 0, hit = null } = stood.rows[0] ?? {}
  const done = new Set(ran.rows.map(({ name }) => name))
  return {
    version: version.split(' ')[0] ?? version,
    // Of several processes, only the first starts it, and passes its address on to the others.
    isEmbedded: config.databaseUrl === null || config.databaseUrl === runningEmbedded(config.dataDir)?.ownerUrl,
    replica: database.replica(),
    commits: database.commits.state,
    migration: ran.rows.at(-1)?.name ?? '',
    pending: known.filter((name) => !done.has(name)).length,
    connections,
    waitedFor: database.pools().reduce((sum, { waiting }) => sum + waiting, 0),
    hit,
    bytes: Number(bytes),
    tables,
  }
}

function channelOf({ sentAt, failure, ...channel }: ChannelHealth): ChannelView {
  return {
    ...channel,
    sentAt: sentAt?.toISOString() ?? null,
    failure: failure && { at: failure.at.toISOString(), error: failure.error },
  }
}

// Estimates of the last vacuum: nothing is counted.
async function tablesIn(db: Db): Promise<HealthView['database']['tables']> {
  const { rows } = await sql<{ name: string; bytes: string; rows: string }>`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as rows
    from (
      select oid, relname, reltuples from pg_class
      where relkind = 'r' and relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
      order by relpages desc limit ${tablesShown}
    ) as largest order by bytes desc`.execute(db)
  return rows.map((row) => ({ name: row.name, bytes: Number(row.bytes), rows: Number(row.rows) }))
}

async function jobsNow(): Promise<HealthView['jobs']> {
  const { app } = maintenanceContext().database
  const [queues, jobs] = await Promise.all([queueBoard(app), pendingJobs(app)])
  if (!queues) return null
  const now = Date.now()
  const late = jobs
    .filter(({ state, startAt }) => state === 'created' && startAt.getTime() < now)
    .map(({ startAt }) => now - startAt.getTime())
  return {
    waiting: queues.reduce((sum, { waiting }) => sum + waiting, 0),
    failed: queues.reduce((sum, { failed }) => sum + failed, 0),
    oldestSeconds: late.length > 0 ? Math.round(Math.max(...late) / 1000) : null,
  }
}

async function searchNow(db: Db): Promise<HealthView['search']> {
  const [found, [work]] = await Promise.all([search.state(db), newest(db, ['search'], 1)])
  return { ...found, work: work ?? null }
}

const soonMs = 30 * 86_400_000

async function paymentsNow(db: Db): Promise<HealthView['payments']> {
  return (await reconciliation.health(db)).map(({ endings, ...its }) => ({
    ...its,
    endings: endings.filter(({ endsAt }) => Date.parse(endsAt) < Date.now() + soonMs),
  }))
}

async function backupNow(db: Db): Promise<HealthView['backup']> {
  const [{ backupDays: days }, [last], failures] = await Promise.all([
    setting.all(db),
    backups.list(backupsFolder(maintenanceContext().config.dataDir)),
    failed(db),
  ])
  const rehearsal = last && (await rehearsalsOf(db, [last.name])).get(last.name)
  return {
    at: last?.at.toISOString() ?? null,
    isRehearsed: rehearsal?.state === 'done',
    hasFailed: failures.some(({ kind }) => kind === 'backup'),
    days,
  }
}
