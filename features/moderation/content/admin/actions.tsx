import type { ReactNode } from 'react'
import type { Endpoint, Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import type { FormValues } from '#base/web/form-values.ts'
import { MenuButton } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'

type DirectActionProps<E extends Endpoint> = { sends: E; along: FormValues; label: string; message: string }

/** An action without confirmation: it removes nothing, and the same menu reverts it. */
export function DirectAction<E extends Endpoint>({ sends, along, label, message }: DirectActionProps<E>) {
  const action = useAction(sends.path)
  return <MenuButton onClick={() => void action.run(along, { message })}>{label}</MenuButton>
}

const isDestructive = /\/(remove|purge)$/
const notifiesAuthor = /\/(remove|labelAi)$/

type ReasonFormProps<E extends Endpoint> = {
  title: string
  sends: E
  along: FormValues
  action: string
  warning?: string
  close: () => void
  /** Called instead of a mere close. */
  onDone?: (answer: Output<E>) => void
  children?: ReactNode
}

export function ReasonForm<E extends Endpoint>({
  title,
  sends,
  along,
  action,
  warning,
  close,
  onDone = close,
  children,
}: ReasonFormProps<E>) {
  const words = useWords('contentAdmin')
  return (
    <Dialog title={title} isOpen close={close}>
      {warning && <p>{warning}</p>}
      <Form endpoint={sends} extra={along} onSuccess={onDone}>
        {children}
        <TextField
          name="reason"
          label={words('reason')}
          help={words(notifiesAuthor.test(sends.path) ? 'reasonTold' : 'reasonHelp')}
          maxLength={300}
          rows={2}
          data-first={!children}
        />
        <Submit danger={isDestructive.test(sends.path)}>{action}</Submit>
      </Form>
    </Dialog>
  )
}
