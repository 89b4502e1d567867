import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { maxFaults, type batchLeft, type BatchView, type Fault } from '#batch/contract.ts'
import css from '#batch/admin/batch.module.css'

type BatchFaults = Output<typeof batchLeft>

/** The items that a batch skipped, with reasons, on request. Renders nothing where it skipped none. */
export function SkippedItems({ batch: { id: batchId, faults, left } }: { batch: BatchView }) {
  const words = useWords('batchAdmin')
  const api = useApi()
  const [details, show] = useState<BatchFaults | null>(null)

  async function ask(): Promise<void> {
    try {
      show(await api.read<typeof batchLeft>('/admin/batch/left', { batchId }))
    } catch (error) {
      // The call has reported it.
      if (!(error instanceof CallFailed)) throw error
    }
  }

  if (faults + left === 0) return null
  return (
    <>
      <button type="button" className="plain" onClick={() => void ask()}>
        {words('whatWasLeft')}
      </button>
      <Dialog title={words('whatWasLeft')} isOpen={details !== null} close={() => show(null)}>
        {faults > 0 && (
          <>
            <h3>{words('notDone', { count: faults })}</h3>
            <Faults faults={details?.faults ?? []} total={faults} />
          </>
        )}
        {left > 0 && (
          <>
            <h3>{words('notUndone', { count: left })}</h3>
            <Faults faults={details?.left ?? []} total={left} />
          </>
        )}
      </Dialog>
    </>
  )
}

/** Skipped items with reasons. */
export function Faults({ faults, total }: { faults: BatchFaults['faults']; total: number }) {
  const words = useWords('batchAdmin')
  return (
    <>
      <ul className={css.left}>
        {[...Map.groupBy(faults, ({ why }) => why)].map(([why, its]) => (
          <li key={why}>
            {why} <span className="meta">{namesIn(words, its)}</span>
          </li>
        ))}
      </ul>
      {total > faults.length && faults.length >= maxFaults && <p className="meta">{words('onlySome', { count: faults.length })}</p>}
    </>
  )
}

function namesIn(words: Translate, its: readonly Fault[]): string {
  const names = its.flatMap(({ name }) => name ?? [])
  if (names.length === its.length) return words('named', { count: its.length, names: names.join(', ') })
  return words('numbered', { count: its.length, ids: its.map(({ id }) => id).join(', ') })
}
