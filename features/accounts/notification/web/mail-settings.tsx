import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { bindingCalls } from '#contact/contract.ts'
import { CodeSteps, paths } from '#contact/web/contact.tsx'
import { rhythms, type changeNotificationMail, type notificationSettings } from '#notification/notification-contract.ts'
import css from '#notification/web/notice.module.css'

type Email = NonNullable<Output<typeof notificationSettings>['email']>

const rhythmWords = { atOnce: 'rhythmAtOnce', day: 'rhythmDay', week: 'rhythmWeek' } as const

/** The address and schedule of e-mails with notifications. */
export function MailSettings({ email, timeZone }: { email: Email; timeZone: string }) {
  const words = useWords('notification')
  const { isBusy, run } = useAction<typeof changeNotificationMail>('/user/control/changeNotificationMail')
  const [{ rhythm, hour }, turn] = useState<Pick<Email, 'rhythm' | 'hour'>>(email)

  async function choose(choice: Pick<Email, 'rhythm' | 'hour'>): Promise<void> {
    turn(choice)
    if ((await run(choice, { message: words('saved') })) === undefined) turn({ rhythm, hour })
  }

  if (email.bound === null)
    return (
      <p>
        {words('mailNeedsAddress')}{' '}
        <Link to={`${paths.email.binding}?jumpUrl=${encodeReturnPath('/user/control/remindSettings')}`}>{words('bindEmail')}</Link>
      </p>
    )
  return (
    <div className={css.mail}>
      <p>
        <strong>{words('mailTitle')}</strong> {words('mailTo', { address: email.bound })}{' '}
        <Link to={paths.email.stepOne}>{words('change')}</Link>
      </p>
      {email.isUnreached && <UndeliverableAddress address={email.bound} />}
      <label>
        {words('rhythm')}{' '}
        <select
          value={rhythm}
          disabled={isBusy}
          onChange={({ target }) => void choose({ hour, rhythm: rhythms.find((one) => one === target.value) ?? 'atOnce' })}
        >
          {rhythms.map((one) => (
            <option key={one} value={one}>
              {words(rhythmWords[one])}
            </option>
          ))}
        </select>
      </label>{' '}
      {rhythm !== 'atOnce' && <Hours hour={hour} isBusy={isBusy} choose={(hour) => void choose({ rhythm, hour })} />}
      <p className="meta">{rhythm === 'atOnce' ? words('atOnceHelp') : words('zoneHelp', { zone: timeZone })}</p>
    </div>
  )
}

function Hours({ hour, isBusy, choose }: { hour: number; isBusy: boolean; choose: (hour: number) => void }) {
  const words = useWords('notification')
  return (
    <label>
      {words('hour')}{' '}
      <select value={hour} disabled={isBusy} onChange={({ target }) => choose(Number(target.value))}>
        {Array.from({ length: 24 }, (_, one) => (
          <option key={one} value={one}>
            {words('hourOf', { hour: one })}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Nothing is sent to this address any more, until a code was read there. */
function UndeliverableAddress({ address }: { address: string }) {
  const words = useWords('notification')
  const [isTrying, tryAgain] = useState(false)
  return (
    <div className={css.unreached} role="status">
      <p>{words('unreached')}</p>
      {isTrying ? (
        <CodeSteps
          kind="email"
          countries={[]}
          asks={bindingCalls.email.sendCode}
          asking={{ about: 'old' }}
          sends={bindingCalls.email.stepOne}
          action={words('tryAgain')}
          then={() => void toast(words('reachedAgain'))}
          destination={address}
        />
      ) : (
        <button type="button" className="button quiet" onClick={() => tryAgain(true)}>
          {words('tryAgain')}
        </button>
      )}
    </div>
  )
}
