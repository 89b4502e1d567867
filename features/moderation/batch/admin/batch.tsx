import { useState, type ReactNode } from 'react'
import type { SelectedRows } from '#base/admin/selection.ts'
import { maxBulkRows } from '#base/list.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { Faults } from '#batch/admin/skipped-items.tsx'
import { useBulkResult } from '#batch/admin/bulk-result.ts'
import { useUndo } from '#batch/admin/undo.ts'
import type { BulkResult } from '#batch/contract.ts'
import css from '#batch/admin/batch.module.css'

export { RunningBatches } from '#batch/admin/running-batches.tsx'
export { Faults } from '#batch/admin/skipped-items.tsx'
export { useBulkResult } from '#batch/admin/bulk-result.ts'

export type Finish = (answer: BulkResult) => void | Promise<void>

/** A custom dialog for individually selected rows. */
export type CustomDialog<Row> = (rows: readonly Row[], close: () => void, done: () => void) => ReactNode

/** A bulk action, and its input: a form in a dialog, or a custom dialog. */
export type BulkAction<Row> = { name: string; label: string } & (
  | { form: (chosen: SelectedRows<Row>, finish: Finish) => ReactNode }
  | { ask: CustomDialog<Row> }
)

type BatchProps<Row> = { offers: readonly BulkAction<Row>[]; chosen: SelectedRows<Row>; onDone: () => void }

/** The bulk actions on the selected items. Failures are listed per item. */
export function Batch<Row>({ offers, chosen, onDone }: BatchProps<Row>) {
  const words = useWords('batchAdmin')
  const [open, setOpen] = useState<BulkAction<Row> | null>(null)
  const { result, finish, read } = useBulkResult<BulkResult>(useResultToast(), onDone)
  const close = () => setOpen(null)
  const now = offers.find(({ name }) => name === open?.name)

  function closeAnd(answer: BulkResult): void | Promise<void> {
    close()
    return finish(answer)
  }

  return (
    <>
      <Choice offers={offers.filter((offer) => 'form' in offer || chosen.which.ids)} choose={setOpen} />
      {now && 'ask' in now && now.ask(chosen.rows, close, onDone)}
      <Dialog
        title={now ? words('batchTitle', { action: now.label, count: chosen.count, more: chosen.isLowerBound ? 'yes' : 'no' }) : ''}
        isOpen={now !== undefined && 'form' in now}
        close={close}
      >
        {now && 'form' in now && now.form(chosen, closeAnd)}
      </Dialog>
      <Dialog
        title={words('batchPartly', { count: result?.batch.done ?? 0, left: result?.batch.faults ?? 0 })}
        isOpen={result !== null}
        close={read}
      >
        <Faults faults={result?.faults ?? []} total={result?.batch.faults ?? 0} />
      </Dialog>
    </>
  )
}

function Choice<Row>({ offers, choose }: { offers: readonly BulkAction<Row>[]; choose: (offer: BulkAction<Row>) => void }) {
  const words = useWords('batchAdmin')
  function chose(name: string): void {
    const offer = offers.find((one) => one.name === name)
    if (offer) choose(offer)
  }
  return (
    <select className={css.choose} aria-label={words('action')} value="" onChange={({ target }) => chose(target.value)}>
      <option value="">{words('action')}</option>
      {offers.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Shown in every form of a batch: the number of items, and whether it can be undone. */
export function AboutBatch({ chosen, isFinal = false }: { chosen?: Pick<SelectedRows<unknown>, 'which'>; isFinal?: boolean }) {
  const words = useWords('batchAdmin')
  return (
    <>
      {chosen?.which.all && <p className="meta">{words('allAtThatMoment', { most: maxBulkRows })}</p>}
      {isFinal ? (
        <p className="note">{words('cannotBeUndone')}</p>
      ) : (
        <p className="meta">
          {words('canBeUndone')} <Link to="/admin/batch">{words('batches')}</Link>
        </p>
      )}
    </>
  )
}

/** Shows the result in a toast with a button to undo it. */
export function useResultToast() {
  const words = useWords('batchAdmin')
  const undo = useUndo(({ batch, left }) =>
    toast(words('undonePartly', { count: batch.undone, left: left.length }), { isPersistent: true }),
  )
  return ({ batch }: Pick<BulkResult, 'batch'>) => {
    const message = words('batchDone', { count: batch.done })
    if (batch.state !== 'done') toast(words('batchBegun', { count: batch.total }))
    else if (batch.canUndo) toast(message, { label: words('undo'), retry: () => void undo.take(batch) })
    else toast(message)
  }
}
