import { useState } from 'react'
import { useFresh } from '#base/admin/fresh.ts'
import { useWords } from '#base/web/words.tsx'
import { isAtWork, keyOf, progressIn } from '#content/admin/batch-words.ts'
import { Left } from '#content/admin/left.tsx'
import { useUndo } from '#content/admin/undo.ts'
import type { BatchView, Kind } from '#content/views.ts'
import css from '#content/admin/content.module.css'

/** The large batches of one kind that go on now, and what came of those that have just ended. */
export function BatchesAtWork({ kind, batches }: { kind: Kind; batches: readonly BatchView[] }) {
  const [put, setPut] = useState<ReadonlySet<string>>(new Set())
  const its = batches.filter((batch) => batch.kind === kind)
  useFresh(its.some(isAtWork))
  return its
    .filter((batch) => isAtWork(batch) || !put.has(`${batch.id} ${batch.state}`))
    .map((batch) => <AtWork key={batch.id} batch={batch} close={() => setPut(new Set([...put, `${batch.id} ${batch.state}`]))} />)
}

function AtWork({ batch, close }: { batch: BatchView; close: () => void }) {
  const words = useWords('contentAdmin')
  const undo = useUndo(() => undefined)
  const { deed, kind, account, state, total, done, faults, undone, left, canUndo } = batch
  const [value, max] = state === 'undoing' ? [undone + left, done] : [done + faults, total]
  const title = words('batchBy', { deed: words(keyOf(deed)), kind: words(kind), name: account })
  return (
    <section className={`note ${css.atWork}`} aria-label={title}>
      <strong>{title}</strong>
      {isAtWork(batch) && <progress aria-label={progressIn(words, batch)} value={value} max={max} />}
      <span>{progressIn(words, batch)}</span>
      <span className={css.atWorkDeeds}>
        <Left batch={batch} />
        {canUndo && (
          <button type="button" className="plain" disabled={undo.isBusy} onClick={() => void undo.take(batch)}>
            {words(state === 'doing' ? 'stopAndUndo' : 'undo')}
          </button>
        )}
        {!isAtWork(batch) && (
          <button type="button" className="plain" onClick={close}>
            {words('putAway')}
          </button>
        )}
      </span>
    </section>
  )
}
