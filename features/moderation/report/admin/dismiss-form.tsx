import { useState } from 'react'
import type { SelectedRows } from '#base/admin/selection.ts'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { Faults, useBulkResult } from '#batch/admin/batch.tsx'
import { maxLength } from '#report/contract.ts'
import { dismissCases } from '#report/dismiss-contract.ts'
import type { caseList } from '#report/staff-contract.ts'

type Case = Output<typeof caseList>['rows'][number]
type DismissResult = Output<typeof dismissCases>

/** Dismisses all selected cases for one reason. Cases that could not be decided are reported. */
export function DismissForm({ chosen, onDone }: { chosen: SelectedRows<Case>; onDone: () => void }) {
  const words = useWords('reportAdmin')
  const [isOpen, setOpen] = useState(false)
  const { result, finish, read } = useBulkResult<DismissResult>((answer) => toast(words('dismissed', { count: answer.done })), onDone)
  const cases = chosen.rows.map(({ id: caseId, version }) => ({ caseId, version }))

  function close(answer: DismissResult): void | Promise<void> {
    setOpen(false)
    return finish(answer)
  }

  return (
    <>
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        {words('dismiss')}
      </button>
      <Dialog title={words('dismissTitle', { count: cases.length })} isOpen={isOpen} close={() => setOpen(false)}>
        <Form endpoint={dismissCases} extra={{ cases }} onSuccess={close}>
          <p>{words('dismissWhat')}</p>
          <TextField name="result" label={words('result')} help={words('resultHelp')} maxLength={maxLength.result} rows={3} data-first />
          <TextField name="remark" label={words('remark')} help={words('remarkHelp')} maxLength={maxLength.result} rows={2} />
          <Submit>{words('dismiss')}</Submit>
        </Form>
      </Dialog>
      <Dialog
        title={words('dismissedPartly', { count: result?.done ?? 0, left: result?.faults.length ?? 0 })}
        isOpen={result !== null}
        close={read}
      >
        <Faults faults={result?.faults ?? []} total={result?.faults.length ?? 0} />
      </Dialog>
    </>
  )
}
