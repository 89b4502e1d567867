import { createContext, useContext, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint, Output } from '#base/contract.ts'
import { messageOf } from '#base/validation.ts'
import { ErrorAlert } from '#base/web/alert.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { sortErrors } from '#base/web/field-errors.ts'
import { newKey } from '#base/web/key.ts'
import { useWords } from '#base/web/words.tsx'
import { useTranslations } from 'use-intl/react'

type Values = Record<string, unknown>
type Filling = { errors: Record<string, string>; isBusy: boolean; hold: (name: string, value: unknown) => void }

const FormContext = createContext<Filling | null>(null)

export function useForm(): Filling {
  const form = useContext(FormContext)
  if (!form) throw new Error('This field stands outside of a form')
  return form
}

type FormProps<E extends Endpoint> = {
  sends: E
  /** What is sent besides what the person fills in. */
  along?: Values
  then: (answer: Output<E>) => void
  refused?: () => void
  children: ReactNode
}

/** Checks with the call's own schema, sends once, puts what the server refuses at its field, and loses nothing that was typed. */
export function Form<E extends Endpoint>({ sends, along, then, refused, children }: FormProps<E>) {
  const api = useApi()
  const say = useTranslations() as unknown as (key: string, values?: Record<string, string | number>) => string
  const { revalidate } = useRevalidator()
  const form = useRef<HTMLFormElement>(null)
  const held = useRef<Values>({})
  const key = useRef<string>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [others, setOthers] = useState('')
  const [isBusy, setBusy] = useState(false)

  function refuse(messages: Record<string, string>): void {
    const { atFields, others: list } = sortErrors(messages, namesIn(form.current, held.current))
    setErrors(atFields)
    setOthers(list)
    refused?.()
    // The messages must stand in the page before focus goes to the first of them.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  async function send(): Promise<void> {
    const values = { ...valuesIn(form.current, sends), ...held.current, ...along }
    const checked = sends.takes.safeParse(values)
    if (!checked.success) {
      return refuse(Object.fromEntries(checked.error.issues.map((issue) => [String(issue.path[0] ?? ''), said(messageOf(issue), say)]).reverse()))
    }
    key.current ??= newKey()
    setBusy(true)
    try {
      const answer = await api.write<E>(sends.path, values as never, { idempotencyKey: key.current })
      key.current = null
      setErrors({})
      then(answer)
      await revalidate()
    } catch (error) {
      if (error instanceof FieldErrors) {
        key.current = null
        refuse(error.fields)
      } else if (!(error instanceof CallFailed)) throw error
    } finally {
      setBusy(false)
    }
  }

  const filling = { errors, isBusy, hold: (name: string, value: unknown) => void (held.current[name] = value) }
  return (
    <FormContext value={filling}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void send()
        }}
      >
        {children}
        {others && <ErrorAlert text={others} close={() => setOthers('')} />}
      </form>
    </FormContext>
  )
}

type FieldProps = Omit<ComponentProps<'input'>, 'name'> & { name: string; label: ReactNode; help?: string; after?: ReactNode }

/** One line of a form: label above, help below, what is wrong in place of the help. */
export function Field({ name, label, help, after, ...input }: FieldProps) {
  const { errors } = useForm()
  const id = useId()
  const wrong = errors[name]
  const isTick = input.type === 'checkbox'
  const control = <input id={id} name={name} aria-invalid={wrong ? true : undefined} aria-describedby={`${id}-help`} {...input} />
  return (
    <div className={isTick ? 'field tick' : 'field'}>
      {isTick && control}
      <label htmlFor={id}>{label}</label>
      {!isTick && control}
      {after}
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? help}
      </p>
    </div>
  )
}

export function PasswordField(props: FieldProps) {
  const words = useWords('site')
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      after={
        <button type="button" className="reveal" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {words(isShown ? 'hidePassword' : 'showPassword')}
        </button>
      }
    />
  )
}

/** The button that sends the form; it says the deed. */
export function Submit({ children }: { children: ReactNode }) {
  const { isBusy } = useForm()
  return (
    <button className="button" aria-disabled={isBusy} data-busy={isBusy || undefined}>
      {children}
    </button>
  )
}

function said({ key, values }: ReturnType<typeof messageOf>, say: (key: string, values?: Record<string, string | number>) => string): string {
  return say(key, values)
}

function valuesIn(form: HTMLFormElement | null, { takes }: Endpoint): Values {
  const shape = 'shape' in takes ? (takes.shape as Record<string, Endpoint['takes']>) : {}
  const values: Values = {}
  for (const element of form?.elements ?? []) {
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) || !element.name) continue
    if (element instanceof HTMLInputElement && element.type === 'checkbox') values[element.name] = element.checked
    // What may not be empty is not there at all when it is empty.
    else if (element.value !== '' || shape[element.name]?.safeParse('').success) values[element.name] = element.value
  }
  return values
}

function namesIn(form: HTMLFormElement | null, held: Values): Set<string> {
  const named = [...(form?.elements ?? [])].flatMap((element) => element.getAttribute('name') ?? [])
  return new Set([...named, ...Object.keys(held)])
}
