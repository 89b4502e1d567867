import { z } from 'zod'
import { id, read, refusal, time, write } from '#base/contract.ts'
import { bulkRefusals } from '#base/list.ts'
import { plainString } from '#base/plain-text.ts'
import { field, staffList } from '#base/staff-list.ts'
import { NameView } from '#role/contract.ts'
import { kinds } from '#kind/contract.ts'

/** The kinds of items with bulk actions. */
export const bulkTargetKinds = [...kinds, 'member', 'review'] as const
export type BulkTargetKind = (typeof bulkTargetKinds)[number]
export const undoDays = 30
/** Further faults are only counted. */
export const maxFaults = 200

export const UndoneAlready = refusal('batch.undoneAlready')
export const TooLateToUndo = refusal('batch.tooLateToUndo')

const count = z.number()

/** Each row is a bulk action of staff, with its progress. */
export const batches = staffList('/admin/batch/list', {
  summary: 'Finished and running batches of staff, limited to the kinds that the staff account may see.',
  words: 'batchAdmin',
  columns: {
    madeAt: field.labelled('at', field.time),
    account: field.labelled('who', field.text),
    action: field.labelled('whatWasDone', field.text),
    done: field.labelled('progress', field.number),
    reason: field.orNull(field.text),
    undo: field.composed,
  },
  values: {
    kind: z.enum(bulkTargetKinds),
    state: z.enum(['doing', 'done', 'stopped', 'undoing', 'undone']),
    whyStopped: z.enum(['right', 'failure']).nullable(),
    total: count,
    /** Items that failed. */
    faults: count,
    undone: count,
    /** Items that the undo skipped. */
    left: count,
    undoneAt: time.nullable(),
    undoneBy: z.string().nullable(),
    canUndo: z.boolean(),
    /** It cannot be undone, such as ended sessions. */
    isFinal: z.boolean(),
    /** The filters where all matches were selected; null for individual items. */
    filter: z.array(z.object({ name: z.string(), value: z.string(), called: NameView.nullable() })).nullable(),
  },
  filters: { kind: field.choice(bulkTargetKinds) },
  sorts: { made: 'madeAt' },
})
export const BatchView = batches.row
export type BatchView = z.output<typeof BatchView>

/** A skipped item, by name if it has one, and the reason. */
export const Fault = z.object({ id: z.string(), name: z.string().nullable(), why: z.string() })
export type Fault = z.infer<typeof Fault>

/** The output and errors of every bulk action. */
export const bulkEndpoint = { output: z.object({ batch: BatchView, faults: z.array(Fault) }), errors: bulkRefusals }
export type BulkResult = z.output<(typeof bulkEndpoint)['output']>
/** The same before times are written as text. */
export type BulkAnswer = z.input<(typeof bulkEndpoint)['output']>

export const batchesAtWork = read('/admin/batch/atWork', {
  summary: 'Large batches in progress, and those of the staff account that ended within the last minutes.',
  input: z.object({ kind: z.enum(bulkTargetKinds) }),
  output: z.object({ batches: z.array(BatchView) }),
})

export const batchLeft = read('/admin/batch/left', {
  summary: 'Items that a batch could not process, and those that its undo skipped; at most 200 of each.',
  input: z.object({ batchId: id }),
  output: z.object({ faults: z.array(Fault), left: z.array(Fault) }),
})

export const undoBatch = write('/admin/batch/undo', {
  summary:
    'Undoes a batch where its results are unchanged, lists the skipped items, and cancels the rest. Over 50 continue in the background.',
  input: z.object({ batchId: id, reason: plainString.max(300).default('') }),
  output: z.object({ batch: BatchView, left: z.array(Fault) }),
  errors: [UndoneAlready, TooLateToUndo],
})
