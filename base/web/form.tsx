import { createContext, Fragment, useContext, useEffect, useId, useState, type ComponentProps, type ReactNode } from 'react'
import { maxLengthFor } from '#base/characters.ts'
import type { Endpoint } from '#base/contract.ts'
import { ErrorAlert } from '#base/web/alert.tsx'
import { useComposing } from '#base/web/composing.ts'
import { useFormState, type FormState, type FormOptions } from '#base/web/form-state.ts'
import { useSuggestibleFields, type SuggestibleFields } from '#base/web/suggestible.ts'
import { useWords } from '#base/web/words.tsx'
import '#base/web/form.css'

type FormContextValue = Pick<FormState, 'errors' | 'isBusy' | 'wait' | 'setValue' | 'clearError'> & SuggestibleFields

const FormContext = createContext<FormContextValue | null>(null)

export function useForm(): FormContextValue {
  const form = useContext(FormContext)
  if (!form) throw new Error('This field stands outside of a form')
  return form
}

type FormProps<E extends Endpoint> = FormOptions<E> & {
  /** Runs when the alert with the form's general errors was closed. */
  onAlertClose?: () => void
  children: ReactNode
}

/** Validates with the endpoint's own schema, submits once, shows errors at their fields, and keeps what was typed. */
export function Form<E extends Endpoint>({ onAlertClose, children, ...wish }: FormProps<E>) {
  const { form, generalErrors, clearGeneralErrors, submit, errors, isBusy, wait, setValue, clearError, round } = useFormState(wish)
  const suggestible = useSuggestibleFields()
  useComposing(form)
  useEffect(() => {
    // The pressed button has been replaced.
    if (round > 0) form.current?.querySelector<HTMLElement>('button:not([type="button"])')?.focus()
  }, [form, round])

  function closeAlert(): void {
    clearGeneralErrors()
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], button:not([type="button"])')?.focus()
    onAlertClose?.()
  }

  return (
    <FormContext value={{ errors, isBusy, wait, setValue, clearError, ...suggestible }}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        onInput={({ target }) => clearError((target instanceof Element && target.getAttribute('name')) || '')}
      >
        <Fragment key={round}>{children}</Fragment>
        {generalErrors && <ErrorAlert text={generalErrors} close={closeAlert} />}
      </form>
    </FormContext>
  )
}

type FieldTexts = {
  name: string
  label: ReactNode
  help?: ReactNode
  /** Content below the control, such as a picture to read. */ after?: ReactNode
  /** A requirement with a mark when it is met, shown beside the error. */
  rule?: { text: string; isMet: boolean }
}
type Control = { id: string; name: string; 'aria-describedby': string; 'aria-invalid'?: true }

/** One row of a form: label above, help below, the error in place of the help. */
export function LabelledControl({
  name,
  label,
  help,
  after,
  rule,
  isTick,
  children,
}: FieldTexts & { isTick?: boolean; children: (control: Control) => ReactNode }) {
  const { errors } = useForm()
  const id = useId()
  const wrong = errors[name]
  const control = children({
    id,
    name,
    'aria-describedby': rule ? `${id}-help ${id}-rule` : `${id}-help`,
    ...(wrong && { 'aria-invalid': true }),
  })
  return (
    <div className={isTick ? 'field tick' : 'field'}>
      {isTick && control}
      <label htmlFor={id}>{label}</label>
      {!isTick && control}
      {after}
      {rule && rule.text !== wrong && (
        <p id={`${id}-rule`} className="help rule" data-met={rule.isMet || undefined}>
          {rule.text}
        </p>
      )}
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong ?? help}
      </p>
    </div>
  )
}

export type FieldProps = FieldTexts & Omit<ComponentProps<'input'>, 'name'>

export function Field({ name, label, help, after, rule, ...input }: FieldProps) {
  return (
    <LabelledControl {...{ name, label, help, after, ...(rule && { rule }) }} isTick={input.type === 'checkbox'}>
      {(control) => <input {...control} {...input} maxLength={input.inputMode ? input.maxLength : maxLengthFor(input.maxLength)} />}
    </LabelledControl>
  )
}

export function TextField({ name, label, help, after, maxLength, ...text }: FieldTexts & Omit<ComponentProps<'textarea'>, 'name'>) {
  return (
    <LabelledControl {...{ name, label, help, after }}>
      {(control) => <textarea {...control} rows={4} {...text} maxLength={maxLengthFor(maxLength)} />}
    </LabelledControl>
  )
}

/** A select; the options are its children. */
export function SelectField({ name, label, help, after, ...select }: FieldTexts & Omit<ComponentProps<'select'>, 'name'>) {
  return <LabelledControl {...{ name, label, help, after }}>{(control) => <select {...control} {...select} />}</LabelledControl>
}

type PasswordFieldProps = FieldProps & {
  /** Called when what is typed becomes visible, or hidden again. */ onShow?: (isShown: boolean) => void
}

export function PasswordField({ name, label, help, after, rule, onShow, ...input }: PasswordFieldProps) {
  const words = useWords('site')
  const [isShown, setShown] = useState(false)

  function toggle(): void {
    setShown(!isShown)
    onShow?.(!isShown)
  }

  return (
    <LabelledControl {...{ name, label, help, after, ...(rule && { rule }) }}>
      {(control) => (
        <div className="secret">
          <input {...control} {...input} type={isShown ? 'text' : 'password'} autoCapitalize="off" autoCorrect="off" spellCheck={false} />
          <button type="button" aria-controls={control.id} onClick={toggle}>
            {words(isShown ? 'hidePassword' : 'showPassword')}
          </button>
        </div>
      )}
    </LabelledControl>
  )
}

/** The submit button, labelled with the action. */
export function Submit({ danger, children }: { /** The action destroys something. */ danger?: boolean; children: ReactNode }) {
  const { isBusy } = useForm()
  return (
    <button className={danger ? 'button danger' : 'button'} aria-disabled={isBusy || undefined} data-busy={isBusy || undefined}>
      {children}
    </button>
  )
}
