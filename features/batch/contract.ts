import { z } from 'zod'
import { id, read, refusal, write } from '#base/contract.ts'
import { listed, listOf, manyRefusals } from '#base/list.ts'
import { plain } from '#base/plain-text.ts'
import { NameView } from '#role/contract.ts'
import { kinds } from '#kind/contract.ts'

/** What staff can do something to many at once of. */
export const things = [...kinds, 'member', 'review'] as const
export type Thing = (typeof things)[number]
export const undoDays = 30
/** More faults than these are only counted. */
export const mostFaults = 200

export const UndoneAlready = refusal('batch.undoneAlready')
export const TooLateToUndo = refusal('batch.tooLateToUndo')

const count = z.number()

/** What staff did to many things at once, or are at: how far it is. */
export const BatchView = z.object({
  id: z.string(),
  account: z.string(),
  kind: z.enum(things),
  deed: z.string(),
  reason: z.string().nullable(),
  madeAt: z.iso.datetime(),
  state: z.enum(['doing', 'done', 'stopped', 'undoing', 'undone']),
  whyStopped: z.enum(['right', 'failure']).nullable(),
  total: count,
  done: count,
  /** What could not be done. */
  faults: count,
  undone: count,
  /** What undoing it left as it was. */
  left: count,
  undoneAt: z.iso.datetime().nullable(),
  undoneBy: z.string().nullable(),
  canUndo: z.boolean(),
  /** What it did can never be undone, as sessions that were ended. */
  isFinal: z.boolean(),
  /** What the list was narrowed to where all that matched were taken; null where they were chosen one by one. */
  filter: z.array(z.object({ name: z.string(), value: z.string(), called: NameView.nullable() })).nullable(),
})
export type BatchView = z.infer<typeof BatchView>

/** What was left alone, by its name where it has one, and why. */
export const Fault = z.object({ id: z.string(), name: z.string().nullable(), why: z.string() })
export type Fault = z.infer<typeof Fault>

/** What every call gives that does one deed to many things, and how it may refuse. */
export const atOnce = { output: z.object({ batch: BatchView, faults: z.array(Fault) }), errors: manyRefusals }
export type AtOnce = z.infer<(typeof atOnce)['output']>

export const batches = read('/admin/batch/list', {
  summary: 'What staff did to many things at once, or are at: those things that one may look at.',
  input: listOf(['made'], { kind: z.enum(things).optional() }),
  output: listed(BatchView),
})

export const batchesAtWork = read('/admin/batch/atWork', {
  summary: 'The large batches that go on, and those of my own that ended within the last minutes.',
  input: z.object({ kind: z.enum(things) }),
  output: z.object({ batches: z.array(BatchView) }),
})

export const batchLeft = read('/admin/batch/left', {
  summary: 'What a batch could not do, and what undoing it left alone; two hundred of each at most.',
  input: z.object({ batchId: id }),
  output: z.object({ faults: z.array(Fault), left: z.array(Fault) }),
})

export const undoBatch = write('/admin/batch/undo', {
  summary:
    'Undoes what still stands as the batch left it, and tells what it left alone. What the batch has not come to yet is not done; more than fifty go on being undone after the answer.',
  input: z.object({ batchId: id, reason: plain.max(300).default('') }),
  output: z.object({ batch: BatchView, left: z.array(Fault) }),
  errors: [UndoneAlready, TooLateToUndo],
})
