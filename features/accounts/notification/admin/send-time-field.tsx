import { useEffect, useState } from 'react'
import { toLocalInput } from '#base/admin/moment-field.tsx'
import { SelectField, LabelledControl, Submit, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import css from '#notification/admin/notice.module.css'

const labels = { never: 'save', now: 'send', later: 'schedule' } as const
type Kind = keyof typeof labels

/** The time of sending. The default keeps a draft, because sending cannot be undone. */
export function SendTimeField({ sendsAt }: { sendsAt: string | null }) {
  const words = useWords('notificationAdmin')
  const { setValue, clearError } = useForm()
  const [when, choose] = useState<Kind>(sendsAt ? 'later' : 'never')
  const [at, setAt] = useState(() => (sendsAt ? toLocalInput(new Date(sendsAt)) : ''))

  const [earliest] = useState(() => toLocalInput(new Date(siteTime())))

  useEffect(() => {
    setValue('sendsAt', when === 'later' && at ? new Date(at).toISOString() : undefined)
  }, [setValue, when, at])

  function set(value: string): void {
    clearError('sendsAt')
    setAt(value)
  }

  return (
    <div className={css.when}>
      <SelectField name="when" label={words('when')} value={when} onChange={({ target }) => choose(target.value as Kind)}>
        {(['never', 'now', 'later'] as const).map((kind) => (
          <option key={kind} value={kind}>
            {words(kind)}
          </option>
        ))}
      </SelectField>
      {when === 'later' && (
        <LabelledControl name="sendsAt" label={words('sendsAt')} help={words('sendsAtHelp')}>
          {(control) => <input {...control} type="datetime-local" value={at} min={earliest} onChange={({ target }) => set(target.value)} />}
        </LabelledControl>
      )}
      <Submit>{words(labels[when])}</Submit>
    </div>
  )
}
