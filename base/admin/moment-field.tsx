import { useEffect, useState, type ReactNode } from 'react'
import { Labelled, useForm } from '#base/web/form.tsx'

type MomentFieldProps = {
  name: string
  label: string
  help?: ReactNode
  /** The current value; null for none. */
  at: string | null
}

/** A date and time in the user's zone; empty if there is none. */
export function MomentField({ name, label, help, at }: MomentFieldProps) {
  const { hold, mend } = useForm()
  const first = at === null ? '' : localOf(new Date(at))
  const [typed, type] = useState(first)
  useEffect(() => {
    // The control has no seconds: an unchanged value is sent as it was.
    hold(name, typed === first ? (at ?? undefined) : typed ? new Date(typed).toISOString() : undefined)
  }, [hold, name, typed, first, at])

  function change(value: string): void {
    mend(name)
    type(value)
  }

  return (
    <Labelled name={name} label={label} help={help}>
      {(control) => <input {...control} type="datetime-local" value={typed} onChange={({ target }) => change(target.value)} />}
    </Labelled>
  )
}

/** The control's format: local time without a zone. */
export function localOf(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
