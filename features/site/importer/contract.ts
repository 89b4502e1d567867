import { z } from 'zod'
import { nothing, read } from '#base/contract.ts'

const when = z.iso.datetime()

/** A row by its old id. The name is null where it may not be shown, as that of a post that not everybody reads; a message has its date. */
const Sample = z.object({ id: z.string(), name: z.string().nullable() })
export type Sample = z.infer<typeof Sample>

/** The rows of one reason, with some samples. */
const Finding = z.object({ why: z.string(), count: z.number(), samples: z.array(Sample) })
export type Finding = z.infer<typeof Finding>

const KindCheck = z.object({
  kind: z.string(),
  /** About how many rows come, where not all were read. */
  coming: z.number(),
  /** The rows that were read and converted; findings count these, or all by a query. */
  read: z.number(),
  isWhole: z.boolean(),
  leftOut: z.array(Finding),
  changed: z.array(Finding),
})
export type KindCheck = z.infer<typeof KindCheck>

const CreditCheck = z.object({
  id: z.string(),
  name: z.string(),
  becomesPoints: z.boolean(),
  holders: z.number(),
  debtors: z.number(),
  total: z.string(),
  smallest: z.string(),
  largest: z.string(),
})

export const forumReaders = ['everybody', 'members', 'roles', 'nobody'] as const
const ForumCheck = z.object({ id: z.string(), name: z.string(), readers: z.enum(forumReaders), roles: z.array(z.string()) })
export type ForumCheck = z.infer<typeof ForumCheck>

/** The result of `import --check`. It has no text of a post or message, no e-mail address and no secret. */
export const ImportCheck = z.object({
  program: z.string(),
  version: z.string(),
  title: z.string(),
  origins: z.array(z.string()),
  /** The program says nowhere who may read its forums, so that nobody may. */
  lacksPermissions: z.boolean(),
  /** How texts were found to be encoded; null where all that was read is ASCII. */
  texts: z.array(z.object({ column: z.string(), declared: z.string().nullable(), encoding: z.string().nullable() })),
  kinds: z.array(KindCheck),
  credits: z.array(CreditCheck),
  /** Groups that become roles; only those of another forum of this program have rights. */
  groups: z.array(z.object({ id: z.string(), name: z.string(), members: z.number(), rights: z.array(z.string()) })),
  forums: z.array(ForumCheck),
  staff: z.array(z.object({ name: z.string(), as: z.string() })),
  /** The first members whose name or address a member here has, with the name that they would have, and how many there are. */
  taken: z.array(z.object({ id: z.string(), name: z.string(), why: z.enum(['name', 'e-mail']), free: z.string() })),
  takenCount: z.number(),
  /** The room for files, by the average of those that were read; null where none was. */
  fileBytes: z.number().nullable(),
  duration: z.object({
    seconds: z.number(),
    /** The posts that were read and converted for it, and the seconds that they took. */
    posts: z.number(),
    sampleSeconds: z.number(),
    /** Passwords that are hashed once more, and the seconds of each. */
    hashes: z.number(),
    hashSeconds: z.number(),
  }),
})
export type ImportCheck = z.infer<typeof ImportCheck>

const ImportView = z.object({
  id: z.string(),
  program: z.string(),
  title: z.string(),
  /** An import that is not finished runs, or was interrupted. */
  state: z.enum(['unfinished', 'finished', 'undone']),
  beganAt: when,
  finishedAt: when.nullable(),
  undoneAt: when.nullable(),
  stages: z.array(z.object({ kind: z.string(), rows: z.number(), isFinished: z.boolean() })),
  notes: z.array(z.object({ note: z.string(), count: z.number(), samples: z.array(z.string()) })),
})
export type ImportView = z.infer<typeof ImportView>

export const importList = read('/admin/import/list', {
  summary: 'The last check of each program that a community can move in from, and the imports, newest first.',
  input: nothing,
  output: z.object({ checks: z.array(z.object({ at: when, check: ImportCheck })), imports: z.array(ImportView) }),
})
