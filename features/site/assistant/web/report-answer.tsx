import { useState } from 'react'
import { reportAnswer, reportReasons } from '#assistant/report-contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { SelectField, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Reports an answer to staff, with the conversation up to it. */
export function ReportAnswer({ turnId }: { turnId: string }) {
  const words = useWords('assistant')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)

  function thank(): void {
    close()
    toast(words('reported'))
  }

  return (
    <>
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {words('report')}
      </button>
      <Dialog title={words('reportTitle')} isOpen={isOpen} close={close}>
        {isOpen && (
          <Form endpoint={reportAnswer} extra={{ turnId }} onSuccess={thank}>
            <p className="meta">{words('reportHelp')}</p>
            <SelectField name="reason" label={words('reportReason')} required defaultValue="" data-first>
              <option value="">{words('reportChoose')}</option>
              {reportReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {words(`report${reason}`)}
                </option>
              ))}
            </SelectField>
            <TextField name="note" label={words('reportNote')} maxLength={1_000} rows={4} />
            <p className="actions">
              <Submit>{words('sendReport')}</Submit>
            </p>
          </Form>
        )}
      </Dialog>
    </>
  )
}
