import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { report } from '#message/contract.ts'

type Props = { /** The message; null while none is reported. */ messageId: string | null; close: () => void }

/** Reports a message to staff, who read it with the few around it. */
export function ReportDialog({ messageId, close }: Props) {
  const words = useWords('message')
  function thank(): void {
    close()
    toast(words('reported'))
  }
  return (
    <Dialog title={words('reportTitle')} isOpen={messageId !== null} close={close}>
      {messageId && (
        <Form key={messageId} endpoint={report} extra={{ messageId }} onSuccess={thank}>
          <p className="meta">{words('reportHelp')}</p>
          <TextField name="reason" label={words('reason')} maxLength={1_000} rows={4} data-first />
          <p className="actions">
            <Submit>{words('sendReport')}</Submit>
          </p>
        </Form>
      )}
    </Dialog>
  )
}
