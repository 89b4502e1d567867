import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { useActionName } from '#audit/admin/audit.tsx'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { isRunning, filtersInWords, progressIn } from '#batch/admin/batch-words.ts'
import { Faults, SkippedItems } from '#batch/admin/skipped-items.tsx'
import { useUndo, type UndoResult } from '#batch/admin/undo.ts'
import { batches, bulkTargetKinds, type BatchView } from '#batch/contract.ts'
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
      <List
        of={batches}
        page={page}
        columns={columnsIn(words, nameOf, setUndone)}
        filters={
          <Filters>
            <FilterChoice
              name="kind"
              label={words('kind')}
              any={words('anyKind')}
              options={bulkTargetKinds.map((kind) => [kind, words(kind)])}
            />
          </Filters>
        }
      />
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

function columnsIn(words: Translate, nameOf: (action: string) => string, show: (result: UndoResult) => void): Column<BatchView>[] {
  return [
    { name: 'made', label: words('at'), time: (row) => row.madeAt },
    { name: 'account', label: words('who'), text: ({ account }) => account },
    {
      name: 'action',
      label: words('whatWasDone'),
      show: (row) => <Target row={row} name={nameOf(row.action)} />,
      text: ({ action }) => nameOf(action),
    },
    { name: 'done', label: words('progress'), show: (row) => <Progress row={row} />, text: (row) => progressIn(words, row) },
    { name: 'reason', label: words('reason'), text: ({ reason }) => reason },
    { name: 'undo', label: words('undo'), show: (row) => <Undo row={row} show={show} />, text: ({ undoneAt }) => undoneAt },
  ]
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
