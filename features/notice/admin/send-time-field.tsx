import { useEffect, useState } from 'react'
import { localOf } from '#base/admin/moment-field.tsx'
import { Choice, Labelled, Submit, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { siteTime } from '#base/web/site-time.ts'
import css from '#notice/admin/notice.module.css'

const labels = { never: 'save', now: 'send', later: 'schedule' } as const
type Kind = keyof typeof labels

/** The time of sending. The default keeps a draft, because sending cannot be undone. */
export function SendTimeField({ sendsAt }: { sendsAt: string | null }) {
  const words = useWords('noticeAdmin')
  const { hold, mend } = useForm()
  const [when, choose] = useState<Kind>(sendsAt ? 'later' : 'never')
  const [at, setAt] = useState(() => (sendsAt ? localOf(new Date(sendsAt)) : ''))

  const [earliest] = useState(() => localOf(new Date(siteTime())))

  useEffect(() => {
    hold('sendsAt', when === 'later' && at ? new Date(at).toISOString() : undefined)
  }, [hold, when, at])

  function set(value: string): void {
    mend('sendsAt')
    setAt(value)
  }

  return (
    <div className={css.when}>
      <Choice name="when" label={words('when')} value={when} onChange={({ target }) => choose(target.value as Kind)}>
        {(['never', 'now', 'later'] as const).map((kind) => (
          <option key={kind} value={kind}>
            {words(kind)}
          </option>
        ))}
      </Choice>
      {when === 'later' && (
        <Labelled name="sendsAt" label={words('sendsAt')} help={words('sendsAtHelp')}>
          {(control) => <input {...control} type="datetime-local" value={at} min={earliest} onChange={({ target }) => set(target.value)} />}
        </Labelled>
      )}
      <Submit>{words(labels[when])}</Submit>
    </div>
  )
}
