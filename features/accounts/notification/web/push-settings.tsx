import { useEffect, useState } from 'react'
import { useAction } from '#base/web/action.ts'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { endPush, PushView, subscribePush, tryPush } from '#notification/push-contract.ts'
import css from '#notification/web/notice.module.css'
import { subscribeHere, unsubscribeHere, readPushState, type PushState } from '#notification/web/push-here.ts'
import { QuietHours } from '#notification/web/quiet-hours.tsx'

/** The browsers with push notifications, this one first, and the quiet hours. */
export function PushSettings({ push, timeZone }: { push: PushView; timeZone: string }) {
  const words = useWords('notification')
  return (
    <section className={css.mail}>
      <p>
        <strong>{words('pushTitle')}</strong>
      </p>
      <ThisBrowser push={push} />
      <Browsers browsers={push.browsers} />
      {push.browsers.length > 0 && <QuietHours quiet={push.quiet} timeZone={timeZone} />}
    </section>
  )
}

function ThisBrowser({ push: { publicKey, browsers } }: { push: PushView }) {
  const words = useWords('notification')
  const begin = useAction<typeof subscribePush>('/user/control/pushSubscribe')
  const trial = useAction<typeof tryPush>('/user/control/pushTry')
  const [here, turn] = useState<PushState>('asking')
  const [isBusy, setBusy] = useState(false)
  const state = here === 'on' && !browsers.some(({ isThis }) => isThis) ? 'off' : here
  // Only the browser knows its permission, which can change in its own settings.
  useEffect(() => void readPushState().then(turn), [browsers])

  async function turnOn(): Promise<void> {
    setBusy(true)
    try {
      const address = await subscribeHere(publicKey)
      if (address) await begin.run(address, { message: words('saved') })
    } catch {
      toast(words('pushNotReached'))
    } finally {
      turn(await readPushState())
      setBusy(false)
    }
  }

  if (state === 'asking') return <p className="meta">{words('pushWhat')}</p>
  if (state === 'unsupported') return <p className="meta">{words('pushUnsupported')}</p>
  if (state === 'refused') return <p className="meta">{words('pushDenied')}</p>
  if (state === 'on')
    return (
      <>
        <p className="meta">{words('pushIsOn')}</p>
        <button
          type="button"
          className="button quiet"
          disabled={trial.isBusy}
          onClick={() => void trial.run({}, { message: words('pushTried') })}
        >
          {words('pushTry')}
        </button>
      </>
    )
  return (
    <>
      <p className="meta">{words('pushWhat')}</p>
      <button type="button" className="button" disabled={isBusy} onClick={() => void turnOn()}>
        {words('turnPushOn')}
      </button>
    </>
  )
}

function Browsers({ browsers }: Pick<PushView, 'browsers'>) {
  const words = useWords('notification')
  const { isBusy, run } = useAction<typeof endPush>('/user/control/pushUnsubscribe')

  async function turnOff({ id, isThis }: PushView['browsers'][number]): Promise<void> {
    if (isThis) await unsubscribeHere()
    await run({ browserId: id }, { message: words('saved') })
  }

  return (
    <ul className={css.browsers}>
      {browsers.map((one) => (
        <li key={one.id}>
          <div>
            {one.device ?? words('unknownDevice')} {one.isThis && <span className="mark">{words('thisBrowser')}</span>}
            <div className="meta">
              <Time at={one.usedAt ?? one.madeAt} />
            </div>
          </div>
          <button
            type="button"
            className="button quiet"
            disabled={isBusy}
            aria-label={`${words('turnPushOff')}: ${one.device ?? words('unknownDevice')}`}
            onClick={() => void turnOff(one)}
          >
            {words('turnPushOff')}
          </button>
        </li>
      ))}
    </ul>
  )
}
