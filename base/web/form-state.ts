import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { fieldAt, messageOf } from '#base/validation.ts'
import { useSubmission, type SubmitOptions } from '#base/web/submission.ts'
import { sortErrors, type SortedErrors } from '#base/web/field-errors.ts'
import { fieldNames, nest, readFormValues, type FormValues } from '#base/web/form-values.ts'
import { useTranslate } from '#base/web/words.tsx'

export type FormOptions<E extends Endpoint> = {
  endpoint: E
  /** Values sent besides the form's own fields. */
  extra?: FormValues
  onSuccess: NonNullable<SubmitOptions<E>['onSuccess']>
  /** Resets the form after success, which prevents a duplicate submission. */
  resetsOnSuccess?: boolean
  /** Runs on expected errors, with the messages by field. */
  onRefused?: (fields: Record<string, string>) => void
}

export type RetryWait = { until: number; messages: Record<string, string> }

export type FormState = {
  form: RefObject<HTMLFormElement | null>
  /** The errors by field. */
  errors: Record<string, string>
  /** The errors of the form as a whole: a numbered list. */
  generalErrors: string
  clearGeneralErrors(): void
  /** The end of a required wait, and its messages by field. */
  wait: RetryWait | null
  isBusy: boolean
  /** How often the form was reset. */
  round: number
  /** Sets the value of a control that is no form element; a promise is awaited on submission. */
  setValue(name: string, value: unknown): void
  /** Clears the error of a field that is being edited. */
  clearError(name: string): void
  submit(): Promise<void>
}

/** The state of a form: validated with the endpoint's own schema, submitted once, with errors at their fields. */
export function useFormState<E extends Endpoint>({
  endpoint,
  extra,
  onSuccess,
  resetsOnSuccess = false,
  onRefused,
}: FormOptions<E>): FormState {
  const messagesFor = useFieldMessages()
  const form = useRef<HTMLFormElement>(null)
  const heldValues = useRef<FormValues>({})
  const [wait, setWait] = useState<RetryWait | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const [round, setRound] = useState(0)
  const { isBusy: isOnItsWay, submit } = useSubmission<E>(endpoint.path)
  const { show, clear, ...errors } = useFormErrors(form, heldValues)
  const setValue = useCallback((name: string, value: unknown) => void (heldValues.current[name] = value), [])
  const isBusy = isOnItsWay || isWaiting

  async function pendingValues(): Promise<FormValues> {
    const coming = Object.entries(heldValues.current).filter(([, value]) => value instanceof Promise)
    if (coming.length === 0) return {}
    setWaiting(true)
    const come = coming.map(async ([name, value]) => [name, await value] as const)
    return Object.fromEntries(await Promise.all(come).finally(() => setWaiting(false)))
  }

  async function send(): Promise<void> {
    if (!form.current || isBusy) return
    const here = Object.fromEntries(Object.entries(heldValues.current).filter(([, value]) => !(value instanceof Promise)))
    const values = nest(nest(readFormValues(form.current, endpoint.input), here), extra ?? {})
    const checked = endpoint.input.safeParse(values, { reportInput: true })
    const messages = messagesFor(form.current, checked.error?.issues ?? [])
    if (Object.keys(messages).length > 0) return show(messages)
    await submit(nest(values, await pendingValues()) as RawInput<E>, {
      onSuccess(answer) {
        clear()
        setWait(null)
        if (resetsOnSuccess) setRound(round + 1)
        return onSuccess(answer)
      },
      onRefused({ fields, seconds }) {
        show(fields)
        setWait(seconds === null ? null : { until: Date.now() + seconds * 1000, messages: fields })
        onRefused?.(fields)
      },
    })
  }

  return { form, isBusy, wait, round, setValue, submit: send, ...errors }
}

type FormErrors = Pick<FormState, 'errors' | 'generalErrors' | 'clearGeneralErrors' | 'clearError'> & {
  show(messages: Record<string, string>): void
  clear(): void
}

function useFormErrors(form: FormState['form'], heldValues: RefObject<FormValues>): FormErrors {
  const [{ atFields, others }, setErrors] = useState(noErrors)
  const isNew = useRef(false)
  useEffect(() => {
    // The messages must be rendered before focus moves to the first of them.
    if (isNew.current) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    isNew.current = false
  })
  return {
    errors: atFields,
    generalErrors: others,
    clearGeneralErrors: () => setErrors((errors) => ({ ...errors, others: '' })),
    clearError: (name) => setErrors((errors) => withoutField(errors, name)),
    clear: () => setErrors(noErrors),
    show(messages) {
      isNew.current = true
      setErrors(sortErrors(messages, fieldNames(form.current, heldValues.current)))
    },
  }
}

type Issues = Parameters<typeof messageOf>[0][]

/** The first error of each field, in the language of the page. A page may require a field that the endpoint does not. */
function useFieldMessages(): (form: HTMLFormElement, issues: Issues) => Record<string, string> {
  const say = useTranslate()
  return (form, issues) => {
    const messages: Record<string, string> = Object.create(null)
    for (const control of form.elements) {
      if (control instanceof HTMLInputElement && control.validity.valueMissing) messages[control.name] = say('validation.required')
    }
    for (const issue of issues) {
      const { key, values } = messageOf(issue)
      messages[fieldAt(issue.path)] ??= say(key, values)
    }
    return messages
  }
}

const noErrors: SortedErrors = { atFields: {}, others: '' }

function withoutField(errors: SortedErrors, name: string): SortedErrors {
  if (!Object.hasOwn(errors.atFields, name)) return errors
  return { ...errors, atFields: Object.fromEntries(Object.entries(errors.atFields).filter(([field]) => field !== name)) }
}
