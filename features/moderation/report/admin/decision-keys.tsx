import type { ComponentProps, KeyboardEvent } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { TextField, useForm } from '#base/web/form.tsx'
import { useKeyBuffer } from '#base/web/shortcuts.ts'
import { maxLength } from '#report/contract.ts'

/** The text of a decision. Ctrl+Enter submits the form. */
export function DecisionTextField(field: ComponentProps<typeof TextField>) {
  return <TextField maxLength={maxLength.result} rows={3} onKeyDown={submitOnCtrlEnter} {...field} />
}

/** In a form that decides: blocks the keys of the next item while a submit is in flight. */
export function BlockKeysWhileBusy() {
  useKeyBuffer(useForm().isBusy)
  return null
}

/** Moves the focus from a key press to the text of the decision, so that further typing is text and decides nothing. */
export function focusDecisionText(form: ParentNode | null | undefined): void {
  const field = form?.querySelector('textarea')
  field?.focus()
  field?.select()
  form?.querySelector('button:not([type])')?.scrollIntoView({ block: 'nearest' })
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event.nativeEvent)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
