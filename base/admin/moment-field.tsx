import { useEffect, useState, type ReactNode } from 'react'
import { LabelledControl, useForm } from '#base/web/form.tsx'

type MomentFieldProps = {
  name: string
  label: string
  help?: ReactNode
  /** The current value; null for none. */
  at: string | null
}

/** A date and time in the user's zone; empty if there is none. */
export function MomentField({ name, label, help, at }: MomentFieldProps) {
  const { setValue, clearError } = useForm()
  const first = at === null ? '' : toLocalInput(new Date(at))
  const [typed, type] = useState(first)
  useEffect(() => {
    // The control has no seconds: an unchanged value is sent as it was.
    setValue(name, typed === first ? (at ?? undefined) : typed ? new Date(typed).toISOString() : undefined)
  }, [setValue, name, typed, first, at])

  function change(value: string): void {
    clearError(name)
    type(value)
  }

  return (
    <LabelledControl name={name} label={label} help={help}>
      {(control) => <input {...control} type="datetime-local" value={typed} onChange={({ target }) => change(target.value)} />}
    </LabelledControl>
  )
}

/** The control's format: local time without a zone. */
export function toLocalInput(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
