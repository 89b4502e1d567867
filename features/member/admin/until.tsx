import { useState } from 'react'
import { Labelled, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

const days = [1, 3, 7, 30, 90, 365] as const

/** How long something lasts, counted from when it is chosen; the first is for good. */
export function Until() {
  const words = useWords('memberAdmin')
  const { hold, mend } = useForm()
  const [chosen, setChosen] = useState('')

  function choose(value: string): void {
    setChosen(value)
    mend('endsAt')
    hold('endsAt', value ? new Date(Date.now() + Number(value) * 86_400_000).toISOString() : undefined)
  }

  return (
    <Labelled name="endsAt" label={words('howLong')}>
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => choose(target.value)}>
          <option value="">{words('forGood')}</option>
          {days.map((count) => (
            <option key={count} value={count}>
              {words('forDays', { count })}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
