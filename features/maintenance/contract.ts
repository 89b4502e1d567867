import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'

export const AlreadyAtIt = refusal('maintenance.alreadyAtIt')
export const BackupInUse = refusal('maintenance.backupInUse')

export const kinds = ['backup', 'rehearsal', 'search'] as const
export const states = ['waiting', 'running', 'done', 'failed'] as const
/** Why work failed, where it is known. */
export const problems = ['damaged', 'newer', 'full', 'mayNotMakeDatabases', 'refused', 'gaveUp', 'other'] as const

const when = z.iso.datetime()
/** The name of a backup's folder. */
const name = z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/)

/** What a rehearsal found in the restored forum. */
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
  deeds: z.number(),
  brokenAt: z.string().nullable(),
  seconds: z.number(),
})
export type FindingsView = z.infer<typeof FindingsView>

/** Slow work: how far it is, and what came of it. */
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
  /** Null where it came by itself, or an older version or the operator’s tool made it. */
  by: z.string().nullable(),
  bytes: z.number().nullable(),
  rows: z.number().nullable(),
  files: z.number().nullable(),
  rehearsal: WorkView.nullable(),
})
export type BackupView = z.infer<typeof BackupView>

export const backupList = read('/admin/backup/list', {
  does: 'The backups that lie in the data folder of this server, newest first, and the work on them.',
  takes: nothing,
  gives: z.object({
    backups: z.array(BackupView),
    works: z.array(WorkView),
    free: z.number(),
    /** Files lie in a store, which backups do not hold. */
    hasStore: z.boolean(),
    schedule: z.object({ days: z.number(), hour: z.number(), kept: z.number(), next: when.nullable() }),
  }),
})

export const makeBackup = write('/admin/backup/make', {
  does: 'Begins to write a backup. The forum goes on meanwhile.',
  takes: nothing,
  gives: WorkView,
  refuses: [AlreadyAtIt],
})

export const rehearseRestore = write('/admin/backup/rehearse', {
  does: 'Begins to restore a backup into a database of its own, to check it there and drop it.',
  takes: z.object({ name }),
  gives: WorkView,
  refuses: [AlreadyAtIt],
})

export const openBackup = write('/admin/backup/open', {
  does: 'Gives the address where a backup can be fetched for some minutes, by whoever asked and nobody else.',
  takes: z.object({ name }),
  gives: z.object({ address: z.string() }),
})

export const removeBackup = write('/admin/backup/remove', {
  does: 'Deletes a backup for good.',
  takes: z.object({ name }),
  gives: nothing,
  refuses: [BackupInUse],
})
