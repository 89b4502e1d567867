import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { messageOf } from '#base/validation.ts'
import { useDelivery, type Next } from '#base/web/delivery.ts'
import { sortErrors, type Sorted } from '#base/web/field-errors.ts'
import { namesIn, valuesIn, type Values } from '#base/web/form-values.ts'
import { useSay } from '#base/web/words.tsx'

export type SendingOptions<E extends Endpoint> = {
  sends: E
  /** Values sent besides the form's own fields. */
  along?: Values
  then: NonNullable<Next<E>['onward']>
  /** Resets the form after success, which prevents a duplicate submission. */
  startsOver?: boolean
  /** Runs on expected errors, with the messages by field. */
  refused?: (fields: Record<string, string>) => void
}

export type Wait = { until: number; says: Record<string, string> }

export type Sending = {
  form: RefObject<HTMLFormElement | null>
  /** The errors by field. */
  errors: Record<string, string>
  /** The errors of the form as a whole: a numbered list. */
  others: string
  closeOthers(): void
  /** The end of a required wait, and its messages by field. */
  wait: Wait | null
  isBusy: boolean
  /** How often the form was reset. */
  round: number
  /** Sets the value of a control that is no form element; a promise is awaited on submission. */
  hold(name: string, value: unknown): void
  /** Clears the error of a field that is being edited. */
  mend(name: string): void
  send(): Promise<void>
}

/** The state of a form: validated with the endpoint's own schema, submitted once, with errors at their fields. */
export function useSending<E extends Endpoint>({ sends, along, then, startsOver = false, refused }: SendingOptions<E>): Sending {
  const wrongIn = useWrongs()
  const form = useRef<HTMLFormElement>(null)
  const held = useRef<Values>({})
  const [wait, setWait] = useState<Wait | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  const [round, setRound] = useState(0)
  const { isBusy: isOnItsWay, deliver } = useDelivery<E>(sends.path)
  const { put, clear, ...errors } = useErrors(form, held)
  const hold = useCallback((name: string, value: unknown) => void (held.current[name] = value), [])
  const isBusy = isOnItsWay || isWaiting

  async function toCome(): Promise<Values> {
    const coming = Object.entries(held.current).filter(([, value]) => value instanceof Promise)
    if (coming.length === 0) return {}
    setWaiting(true)
    const come = coming.map(async ([name, value]) => [name, await value] as const)
    return Object.fromEntries(await Promise.all(come).finally(() => setWaiting(false)))
  }

  async function send(): Promise<void> {
    if (!form.current || isBusy) return
    const here = Object.fromEntries(Object.entries(held.current).filter(([, value]) => !(value instanceof Promise)))
    const values = { ...valuesIn(form.current, sends.input), ...here, ...along }
    const checked = sends.input.safeParse(values, { reportInput: true })
    const wrong = wrongIn(form.current, checked.error?.issues ?? [])
    if (Object.keys(wrong).length > 0) return put(wrong)
    await deliver({ ...values, ...(await toCome()) } as RawInput<E>, {
      onward(answer) {
        clear()
        setWait(null)
        if (startsOver) setRound(round + 1)
        return then(answer)
      },
      refused({ fields, seconds }) {
        put(fields)
        setWait(seconds === null ? null : { until: Date.now() + seconds * 1000, says: fields })
        refused?.(fields)
      },
    })
  }

  return { form, isBusy, wait, round, hold, send, ...errors }
}

type Errors = Pick<Sending, 'errors' | 'others' | 'closeOthers' | 'mend'> & { put(messages: Record<string, string>): void; clear(): void }

function useErrors(form: Sending['form'], held: RefObject<Values>): Errors {
  const [{ atFields, others }, setErrors] = useState(noErrors)
  const isNew = useRef(false)
  useEffect(() => {
    // The messages must be rendered before focus moves to the first of them.
    if (isNew.current) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    isNew.current = false
  })
  return {
    errors: atFields,
    others,
    closeOthers: () => setErrors((errors) => ({ ...errors, others: '' })),
    mend: (name) => setErrors((errors) => without(errors, name)),
    clear: () => setErrors(noErrors),
    put(messages) {
      isNew.current = true
      setErrors(sortErrors(messages, namesIn(form.current, held.current)))
    },
  }
}

type Issues = Parameters<typeof messageOf>[0][]

/** The first error of each field, in the language of the page. A page may require a field that the endpoint does not. */
function useWrongs(): (form: HTMLFormElement, issues: Issues) => Record<string, string> {
  const say = useSay()
  return (form, issues) => {
    const messages: Record<string, string> = Object.create(null)
    for (const control of form.elements) {
      if (control instanceof HTMLInputElement && control.validity.valueMissing) messages[control.name] = say('validation.required')
    }
    for (const issue of issues) {
      const { key, values } = messageOf(issue)
      messages[String(issue.path[0] ?? '')] ??= say(key, values)
    }
    return messages
  }
}

const noErrors: Sorted = { atFields: {}, others: '' }

function without(errors: Sorted, name: string): Sorted {
  if (!Object.hasOwn(errors.atFields, name)) return errors
  return { ...errors, atFields: Object.fromEntries(Object.entries(errors.atFields).filter(([field]) => field !== name)) }
}
