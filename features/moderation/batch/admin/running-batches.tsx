import { useState } from 'react'
import { useActionName } from '#audit/admin/audit.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { useWords } from '#base/web/words.tsx'
import { isRunning, progressIn } from '#batch/admin/batch-words.ts'
import { SkippedItems } from '#batch/admin/skipped-items.tsx'
import { useUndo } from '#batch/admin/undo.ts'
import type { BatchView } from '#batch/contract.ts'
import css from '#batch/admin/batch.module.css'

/** Large running batches, and the results of those that have just ended. */
export function RunningBatches({ batches }: { batches: readonly BatchView[] }) {
  const [put, setPut] = useState<ReadonlySet<string>>(new Set())
  usePolling(batches.some(isRunning))
  return batches
    .filter((batch) => isRunning(batch) || !put.has(`${batch.id} ${batch.state}`))
    .map((batch) => <RunningBatch key={batch.id} batch={batch} close={() => setPut(new Set([...put, `${batch.id} ${batch.state}`]))} />)
}

function RunningBatch({ batch, close }: { batch: BatchView; close: () => void }) {
  const words = useWords('batchAdmin')
  const nameOf = useActionName()
  const undo = useUndo(() => undefined)
  const { action, account, state, total, done, faults, undone, left, canUndo } = batch
  const [value, max] = state === 'undoing' ? [undone + left, done] : [done + faults, total]
  const title = words('batchBy', { action: nameOf(action), name: account })
  return (
    <section className={`note ${css.atWork}`} aria-label={title}>
      <strong>{title}</strong>
      {isRunning(batch) && <progress aria-label={progressIn(words, batch)} value={value} max={max} />}
      <span>{progressIn(words, batch)}</span>
      <span className={css.atWorkActions}>
        <SkippedItems batch={batch} />
        {canUndo && (
          <button type="button" className="plain" disabled={undo.isBusy} onClick={() => void undo.take(batch)}>
            {words(state === 'doing' ? 'stopAndUndo' : batch.undoneAt ? 'undoTheRest' : 'undo')}
          </button>
        )}
        {!isRunning(batch) && (
          <button type="button" className="plain" onClick={close}>
            {words('putAway')}
          </button>
        )}
      </span>
    </section>
  )
}
