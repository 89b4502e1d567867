import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { DecisionTextField } from '#report/admin/decision-keys.tsx'
import { takeBackAppeal, takeBackCase } from '#report/undo-contract.ts'

type Decision = { caseId: string; version: number } | { removalId: string; version: number }

/** Reverses a decision about reports or an appeal, after a confirmation that names the consequences. */
export function TakeBack({ decision, what }: { decision: Decision; what: 'takeBackCase' | 'takeBackRemoval' | 'takeBackAppeal' }) {
  const words = useWords('reportAdmin')
  const [isOpen, setOpen] = useState(false)
  const { revalidate } = useRevalidator()

  // A refusal stays on screen; behind it the page may show the new state already.
  function close(): void {
    setOpen(false)
    void revalidate()
  }

  function done({ isLeft }: Output<typeof takeBackCase>): void {
    setOpen(false)
    toast(words(isLeft ? 'takenBackLeft' : 'takenBack'), { isPersistent: isLeft })
  }

  const form = (
    <>
      <p>{words(what)}</p>
      <DecisionTextField name="reason" label={words('takeBackReason')} help={words('takeBackHelp')} data-first />
      <Submit>{words('takeBack')}</Submit>
    </>
  )
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        {words('takeBackAsk')}
      </button>
      <Dialog title={words('takeBackTitle')} isOpen={isOpen} close={close}>
        {'caseId' in decision ? (
          <Form endpoint={takeBackCase} extra={decision} onSuccess={done}>
            {form}
          </Form>
        ) : (
          <Form endpoint={takeBackAppeal} extra={decision} onSuccess={done}>
            {form}
          </Form>
        )}
      </Dialog>
    </>
  )
}
