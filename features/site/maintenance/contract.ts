import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { AssistantHealth } from '#assistant/usage-contract.ts'
import { ProviderHealth } from '#reconciliation/contract.ts'

export const AlreadyAtIt = refusal('maintenance.alreadyAtIt')
export const BackupInUse = refusal('maintenance.backupInUse')
export const JobGone = refusal('maintenance.jobGone')

export const kinds = ['backup', 'rehearsal', 'search'] as const
export const states = ['waiting', 'running', 'done', 'failed'] as const
/** Known causes of a failed task. */
export const problems = ['damaged', 'newer', 'full', 'mayNotMakeDatabases', 'refused', 'gaveUp', 'other'] as const

const when = z.iso.datetime()
/** The name of a backup's folder. */
const name = z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/)

/** Findings of a rehearsal in the restored forum. */
const FindingsView = z.object({
  members: z.number(),
  topics: z.number(),
  comments: z.number(),
  replies: z.number(),
  migrations: z.number(),
  pending: z.number(),
  files: z.number(),
  missing: z.number(),
  differ: z.array(z.string()),
  entries: z.number(),
  brokenAt: z.string().nullable(),
  /** Failed checks of the ledger. */
  breaches: z.number(),
  seconds: z.number(),
})
export type FindingsView = z.infer<typeof FindingsView>

/** A long-running task: its progress and result. */
export const WorkView = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  about: z.string().nullable(),
  by: z.string().nullable(),
  askedAt: when,
  endedAt: when.nullable(),
  state: z.enum(states),
  step: z.string().nullable(),
  done: z.number(),
  total: z.number(),
  problem: z.enum(problems).nullable(),
  detail: z.string().nullable(),
  findings: FindingsView.nullable(),
})
export type WorkView = z.infer<typeof WorkView>

const BackupView = z.object({
  name: z.string(),
  at: when,
  /** Null for a scheduled task. */
  by: z.string().nullable(),
  bytes: z.number(),
  rows: z.number(),
  files: z.number(),
  rehearsal: WorkView.nullable(),
})
export type BackupView = z.infer<typeof BackupView>

export const backupList = read('/admin/backup/list', {
  summary: 'Backups in the data folder of this server, newest first, with running backup and restore tasks.',
  input: nothing,
  output: z.object({
    backups: z.array(BackupView),
    works: z.array(WorkView),
    free: z.number(),
    /** Administrators only. */
    mayDownload: z.boolean(),
    /** Files are in an object storage, which backups do not contain. */
    hasStore: z.boolean(),
    schedule: z.object({ days: z.number(), hour: z.number(), timeZone: z.string(), kept: z.number(), next: when.nullable() }),
  }),
})

export const makeBackup = write('/admin/backup/make', {
  summary: 'Starts a backup in the background, while the forum stays available.',
  input: nothing,
  output: WorkView,
  errors: [AlreadyAtIt],
})

export const rehearseRestore = write('/admin/backup/rehearse', {
  summary: 'Starts a restore of a backup into a temporary database, which is checked and dropped.',
  input: z.object({ name }),
  output: WorkView,
  errors: [AlreadyAtIt],
})

export const openBackup = write('/admin/backup/open', {
  summary: 'Returns a short-lived download URL of a backup, valid only for the requesting administrator.',
  input: z.object({ name }),
  output: z.object({ address: z.string() }),
})

export const removeBackup = write('/admin/backup/remove', {
  summary: 'Deletes a backup permanently.',
  input: z.object({ name }),
  output: nothing,
  errors: [BackupInUse],
})

export const jobStates = ['created', 'retry', 'active', 'failed'] as const

/** The feature that has its words; null for jobs of another version. */
const feature = z.string().nullable()

const QueueView = z.object({
  name: z.string(),
  feature,
  cron: z.string().nullable(),
  waiting: z.number(),
  running: z.number(),
  failed: z.number(),
  lastDoneAt: when.nullable(),
  nextAt: when.nullable(),
})
export type QueueView = z.infer<typeof QueueView>

const JobView = z.object({
  id: z.string(),
  name: z.string(),
  feature,
  state: z.enum(jobStates),
  tries: z.number(),
  madeAt: when,
  startAt: when,
  begunAt: when.nullable(),
  endedAt: when.nullable(),
  /** The last failure: its code, and the first line without secrets. */
  code: z.string().nullable(),
  message: z.string().nullable(),
})
export type JobView = z.infer<typeof JobView>

export const jobBoard = read('/admin/job/list', {
  summary: 'Job queues with their waiting, running and failed counts, and the individual jobs.',
  input: nothing,
  output: z.object({
    /** False where another process runs the jobs. */
    isRun: z.boolean(),
    queues: z.array(QueueView),
    jobs: z.array(JobView),
  }),
})

const failedJob = z.object({ name: z.string().max(100), id: z.uuid() })

export const retryJob = write('/admin/job/retry', {
  summary: 'Retries a failed job.',
  input: failedJob,
  output: nothing,
  errors: [JobGone],
})

export const discardJob = write('/admin/job/discard', {
  summary: 'Discards a failed job.',
  input: failedJob,
  output: nothing,
  errors: [JobGone],
})

export const clearCaches = write('/admin/maintenance/clearCaches', {
  summary: 'Clears the in-memory caches of all processes. Entries are rebuilt on demand.',
  input: nothing,
  output: nothing,
})

export const rebuildSearch = write('/admin/maintenance/rebuildSearch', {
  summary: 'Starts a rebuild of the search index. Searches use the old index meanwhile.',
  input: nothing,
  output: WorkView,
  errors: [AlreadyAtIt],
})

const ChannelView = z.object({
  isSet: z.boolean(),
  /** Whether login, registration or posting requires codes of this channel. */
  isNeeded: z.boolean(),
  /** Whether the provider lacks a required setting. */
  isIncomplete: z.boolean(),
  waiting: z.number(),
  sentAt: when.nullable(),
  failure: z.object({ at: when, error: z.string().nullable() }).nullable(),
  /** Whether the last attempt failed with an error that permits a retry, and nothing was sent since. */
  isFailing: z.boolean(),
})
export type ChannelView = z.infer<typeof ChannelView>

const TableView = z.object({ name: z.string(), bytes: z.number(), rows: z.number() })

export const health = read('/admin/maintenance/health', {
  summary: 'Versions and health of all components, as seen by the responding process.',
  input: nothing,
  output: z.object({
    program: z.object({
      version: z.string(),
      node: z.string(),
      upSeconds: z.number(),
      memory: z.number(),
      loopMs: z.number(),
      loopWorstMs: z.number(),
    }),
    database: z.object({
      version: z.string(),
      isEmbedded: z.boolean(),
      /** Null without a replica. */
      replica: z.object({ state: z.enum(['up', 'behind', 'away']), lagSeconds: z.number().nullable() }).nullable(),
      /** Whether transactions can be committed, and what they wait for or what refuses them. */
      commits: z.object({ state: z.enum(['up', 'waiting', 'refused', 'unknown']), waitsFor: z.string().nullable() }),
      migration: z.string(),
      pending: z.number(),
      connections: z.number(),
      waitedFor: z.number(),
      /** Cache hit ratio of blocks; null before any read. */
      hit: z.number().nullable(),
      bytes: z.number(),
      tables: z.array(TableView),
    }),
    disk: z.object({ free: z.number(), total: z.number() }),
    files: z.object({ isStore: z.boolean(), isReachable: z.boolean() }),
    email: ChannelView,
    sms: ChannelView,
    /** Null where this process runs no jobs and so does not know. */
    jobs: z.object({ waiting: z.number(), failed: z.number(), oldestSeconds: z.number().nullable() }).nullable(),
    pages: z.object({ entries: z.number(), bytes: z.number(), asked: z.number(), found: z.number() }),
    search: z.object({
      engine: z.string(),
      isReachable: z.boolean(),
      /** Posts that wait to be indexed, counted up to a thousand. */ waiting: z.number(),
      work: WorkView.nullable(),
    }),
    /** Enabled providers, and others with pending events. */
    payments: z.array(ProviderHealth),
    assistant: AssistantHealth,
    backup: z.object({ at: when.nullable(), isRehearsed: z.boolean(), /** The latest one. */ hasFailed: z.boolean(), days: z.number() }),
  }),
})
export type HealthView = z.infer<typeof health.output>
