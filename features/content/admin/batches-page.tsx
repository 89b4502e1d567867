import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { FilterChoice, Filters } from '#base/admin/filters.tsx'
import { useFresh } from '#base/admin/fresh.ts'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords, type Say } from '#base/web/words.tsx'
import { isAtWork, keyOf, progressIn } from '#content/admin/batch-words.ts'
import { Faults, Left } from '#content/admin/left.tsx'
import { useUndo, type Undone } from '#content/admin/undo.ts'
import { batches } from '#content/contract.ts'
import { kinds, type BatchView } from '#content/views.ts'
import css from '#content/admin/content.module.css'

export function Page() {
  const words = useWords('contentAdmin')
  const page = useLoaderData<Output<typeof batches>>()
  const [undone, setUndone] = useState<Undone | null>(null)
  useFresh(page.rows.some(isAtWork))
  return (
    <>
      <h1>{words('batches')}</h1>
      <p className="meta">{words('batchesWhat')}</p>
      <List
        of={batches}
        page={page}
        columns={columnsIn(words, setUndone)}
        filters={
          <Filters>
            <FilterChoice name="kind" label={words('kind')}>
              <option value="">{words('anyKind')}</option>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {words(kind)}
                </option>
              ))}
            </FilterChoice>
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

function columnsIn(words: Say, show: (undone: Undone) => void): Column<BatchView>[] {
  return [
    { name: 'made', label: words('at'), show: (row) => <Time at={row.madeAt} />, text: (row) => row.madeAt },
    { name: 'account', label: words('who'), show: ({ account }) => account, text: ({ account }) => account },
    {
      name: 'deed',
      label: words('whatWasDone'),
      show: ({ deed, kind }) => words('deedOn', { deed: words(keyOf(deed)), kind: words(kind) }),
      text: ({ deed }) => deed,
    },
    { name: 'done', label: words('progress'), show: (row) => <Progress row={row} />, text: (row) => progressIn(words, row) },
    { name: 'reason', label: words('reason'), show: ({ reason }) => reason, text: ({ reason }) => reason ?? '' },
    { name: 'undo', label: words('undo'), show: (row) => <Undo row={row} show={show} />, text: ({ undoneAt }) => undoneAt ?? '' },
  ]
}

function Progress({ row }: { row: BatchView }) {
  const words = useWords('contentAdmin')
  return (
    <div className={css.progress}>
      {progressIn(words, row)} <Left batch={row} />
    </div>
  )
}

function Undo({ row, show }: { row: BatchView; show: (undone: Undone) => void }) {
  const words = useWords('contentAdmin')
  const undo = useUndo(show)
  if (row.undoneAt) {
    return (
      <span>
        {words('undoneBy', { name: row.undoneBy ?? '' })} <Time at={row.undoneAt} />
      </span>
    )
  }
  if (!row.canUndo) return row.done > 0 && words('tooLate')
  return (
    <button type="button" className="button quiet" disabled={undo.isBusy} onClick={() => void undo.take(row)}>
      {words(row.state === 'doing' ? 'stopAndUndo' : 'undo')}
    </button>
  )
}
