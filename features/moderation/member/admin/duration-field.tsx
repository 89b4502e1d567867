import { useEffect, useState } from 'react'
import { SelectField, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'

const days = [1, 3, 7, 14, 30, 90, 365] as const

/** A duration, counted from now: permanent, unless another is `usual`. */
export function DurationField({ usual }: { usual?: (typeof days)[number] }) {
  const words = useWords('memberAdmin')
  const { setValue, clearError } = useForm()
  const [chosen, setChosen] = useState(String(usual ?? ''))

  useEffect(() => {
    setValue('endsAt', chosen ? new Date(siteTime() + Number(chosen) * 86_400_000).toISOString() : undefined)
  }, [setValue, chosen])

  function choose(value: string): void {
    setChosen(value)
    clearError('endsAt')
  }

  return (
    <SelectField name="endsAt" label={words('howLong')} value={chosen} onChange={({ target }) => choose(target.value)}>
      {days.map((count) => (
        <option key={count} value={count}>
          {words('forDays', { count })}
        </option>
      ))}
      <option value="">{words('forGood')}</option>
    </SelectField>
  )
}
