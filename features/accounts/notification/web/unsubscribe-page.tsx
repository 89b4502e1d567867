import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { labelOf } from '#notification/all-kinds.ts'
import type { stopForm, stopNotifications } from '#notification/notification-contract.ts'

/** The target of the link at the end of an e-mail. Opening it changes nothing: mail scanners open links, too. */
export function Page() {
  const words = useWords('notification')
  const translate = useTranslate()
  const { token, isKnown, kind } = useLoaderData<Output<typeof stopForm> & { token: string }>()
  const { isBusy, run } = useAction<typeof stopNotifications>('/unsubscribe')
  const [isDone, setDone] = useState(false)

  async function stop(): Promise<void> {
    if ((await run({ token })) !== undefined) setDone(true)
  }

  return (
    <section className="narrow">
      <h1>{words('stopTitle')}</h1>
      {!isKnown && <p>{words('stopUnknown')}</p>}
      {isDone && <p role="status">{words('stopped')}</p>}
      {isKnown && !isDone && (
        <>
          <p>{words('stopWhat')}</p>
          <p>
            <button type="button" className="button" disabled={isBusy} onClick={() => void stop()}>
              {kind ? words('stopKind', { kind: translate(labelOf(kind)) }) : words('stopAll')}
            </button>
          </p>
        </>
      )}
      <p>
        <Link to="/user/control/remindSettings">{words('settings')}</Link>
      </p>
    </section>
  )
}
