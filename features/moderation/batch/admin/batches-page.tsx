import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { useActionName } from '#audit/admin/audit.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { isRunning, filtersInWords, progressIn } from '#batch/admin/batch-words.ts'
import { Faults, SkippedItems } from '#batch/admin/skipped-items.tsx'
import { useUndo, type UndoResult } from '#batch/admin/undo.ts'
import { batches, type BatchView } from '#batch/contract.ts'
import css from '#batch/admin/batch.module.css'

export function Page() {
  const words = useWords('batchAdmin')
  const page = useLoaderData<Output<typeof batches>>()
  const nameOf = useActionName()
  const [undone, setUndone] = useState<UndoResult | null>(null)
  usePolling(page.rows.some(isRunning))
  return (
    <>
      <h1>{words('batches')}</h1>
      <p className="meta">{words('batchesWhat')}</p>
      <StaffList of={batches} page={page} cells={cellsIn(words, nameOf, setUndone)} />
      <Dialog
        title={words('undonePartly', { count: undone?.batch.undone ?? 0, left: undone?.left.length ?? 0 })}
        isOpen={undone !== null}
        close={() => setUndone(null)}
      >
        <Faults faults={undone?.left ?? []} total={undone?.batch.left ?? 0} />
      </Dialog>
    </>
  )
}

function cellsIn(words: Translate, nameOf: (action: string) => string, show: (result: UndoResult) => void): CellsOf<typeof batches> {
  return {
    action: { show: (row) => <Target row={row} name={nameOf(row.action)} />, text: ({ action }) => nameOf(action) },
    done: { show: (row) => <Progress row={row} />, text: (row) => progressIn(words, row) },
    undo: { show: (row) => <Undo row={row} show={show} />, text: ({ undoneAt }) => undoneAt },
  }
}

function Target({ row: { id, kind, filter }, name }: { row: BatchView; name: string }) {
  const words = useWords('batchAdmin')
  const language = useLanguage()
  return (
    <div className={css.progress}>
      <Link to={`/admin/${kind === 'review' ? 'review/decided' : kind}?batchId=${id}`}>{name}</Link>
      {filter && <div className="meta">{filtersInWords(words, language, filter)}</div>}
    </div>
  )
}

function Progress({ row }: { row: BatchView }) {
  const words = useWords('batchAdmin')
  return (
    <div className={css.progress}>
      {progressIn(words, row)} <SkippedItems batch={row} />
    </div>
  )
}

function Undo({ row, show }: { row: BatchView; show: (result: UndoResult) => void }) {
  const words = useWords('batchAdmin')
  const undo = useUndo(show)
  const action = row.undoneAt ? 'undoTheRest' : row.state === 'doing' ? 'stopAndUndo' : 'undo'
  return (
    <>
      {row.undoneAt && (
        <span>
          {words('undoneBy', { name: row.undoneBy ?? '' })} <Time at={row.undoneAt} />{' '}
        </span>
      )}
      {row.canUndo && (
        <button type="button" className="button quiet" disabled={undo.isBusy} onClick={() => void undo.take(row)}>
          {words(action)}
        </button>
      )}
      {!row.canUndo && !row.undoneAt && row.done > 0 && words('tooLate')}
    </>
  )
}
