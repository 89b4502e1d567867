import type { Endpoint } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import type { FormValues } from '#base/web/form-values.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/dialog.module.css'

const longestReason = 300

/** The additional fields of a moderator's edit: the reason, and whether members may read the former version. */
export function ModeratorEditFields() {
  const words = useWords('writing')
  return (
    <>
      <Field name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={longestReason} autoComplete="off" />
      <Field name="withholds" type="checkbox" label={words('withholds')} help={words('withholdsHelp')} defaultChecked />
    </>
  )
}

type Props = {
  sends: Endpoint
  along: FormValues
  title: string
  action: string
  isOpen: boolean
  close: () => void
  then: () => void | Promise<void>
}

export function ModeratorRemoval({ sends, along, title, action, isOpen, close, then }: Props) {
  const words = useWords('writing')
  return (
    <Dialog title={title} isOpen={isOpen} close={close}>
      <Form endpoint={sends} extra={along} onSuccess={then}>
        <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={longestReason} rows={3} data-first />
        <p className={css.actions}>
          <Submit danger>{action}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}
