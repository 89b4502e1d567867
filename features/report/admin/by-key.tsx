import type { ComponentProps, KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { TextField, useForm } from '#base/web/form.tsx'
import { useKeysWait } from '#base/web/shortcuts.ts'
import { longest } from '#report/contract.ts'

/** What is said with a decision. Control and Enter send it. */
export function Remark(field: ComponentProps<typeof TextField>) {
  return <TextField maxLength={longest.result} rows={3} onKeyDown={sendByKey} {...field} />
}

/** In a form that decides: keys pressed while it is on its way are for what comes next. */
export function KeysWait() {
  useKeysWait(useForm().isBusy)
  return null
}

/** Leads from a key on to what is written with the decision, so that what is typed next is text and decides nothing. */
export function leadOn(form: ParentNode | null | undefined): void {
  const field = form?.querySelector('textarea')
  field?.focus()
  field?.select()
  form?.querySelector('button:not([type])')?.scrollIntoView({ block: 'nearest' })
}

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event.nativeEvent)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
