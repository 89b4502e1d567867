import { useEffect, useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import type { Output } from '#base/contract.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { linkByTicket, ProviderView, signInMethods, unlink } from '#identity/contract.ts'
import { useProviderLogin } from '#identity/web/identity.tsx'
import { BoundLine } from '#contact/web/contact.tsx'
import lines from '#base/web/lines.module.css'
import { pendingIdentity, clearPendingIdentity } from '#identity/web/pending-identity.ts'

type Methods = Output<typeof signInMethods>

export function Page() {
  const words = useWords('identity')
  const ofAccount = useWords('account')
  const { hasPassword, linked, others, phone, email, codes } = useLoaderData<Methods>()
  return (
    <section className="column">
      <p className="meta">{words('methodsWhat')}</p>
      <PendingLink />
      <h2>{words('password')}</h2>
      <p>
        {words(hasPassword ? 'passwordSet' : 'passwordNone')}{' '}
        <Link to="/user/control/password">{hasPassword ? ofAccount('changePassword') : words('setPassword')}</Link>
      </p>
      {(codes.length > 0 || phone || email) && (
        <>
          <h2>{words('bound')}</h2>
          <ul className={lines.list}>
            <BoundLine kind="phone" bound={phone} canSend={codes.includes('phone')} />
            <BoundLine kind="email" bound={email} canSend={codes.includes('email')} />
          </ul>
        </>
      )}
      {linked.length + others.length > 0 && (
        <>
          <h2>{words('others')}</h2>
          <ul className={lines.list}>
            {linked.map((one) => (
              <LinkedLine key={one.id} one={one} />
            ))}
            {others.map((provider) => (
              <ProviderLine key={provider.id} provider={provider} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function LinkedLine({ one: { id, provider, name, linkedAt, usedAt, isLastWayIn } }: { one: Methods['linked'][number] }) {
  const words = useWords('identity')
  const called = provider.name[useLanguage()]
  const ending = useAction<typeof unlink>('/user/control/signInMethod/unlink')

  async function end(): Promise<void> {
    if (!(await confirm(words('unlinkAsk', { name: called }), words('unlink')))) return
    await ending.run({ identityId: id }, { message: words('unlinked', { name: called }) })
  }

  return (
    <li>
      <div>
        <strong>{called}</strong> <bdi>{name}</bdi>
        <p className="meta">
          {words('linkedSince')} <Time at={linkedAt} /> · {words('usedLast')} <Time at={usedAt} />
        </p>
        {isLastWayIn && <p id={`last-${id}`}>{words('lastWayIn')}</p>}
      </div>
      <button
        type="button"
        className="button quiet"
        aria-label={words('unlinkOf', { name: called })}
        aria-describedby={isLastWayIn ? `last-${id}` : undefined}
        disabled={ending.isBusy || isLastWayIn}
        onClick={() => void end()}
      >
        {words('unlink')}
      </button>
    </li>
  )
}

function ProviderLine({ provider }: { provider: ProviderView }) {
  const words = useWords('identity')
  const called = provider.name[useLanguage()]
  const { isBusy, go } = useProviderLogin(provider)
  return (
    <li>
      <div>
        <strong>{called}</strong>
        <p className="meta">{words('notLinked')}</p>
      </div>
      <button
        type="button"
        className="button quiet"
        aria-label={words('linkOf', { name: called })}
        disabled={isBusy}
        onClick={() => void go(true, null)}
      >
        {words('link')}
      </button>
    </li>
  )
}

/** A person who came from a provider and logged in to an existing account confirms that the two belong together. */
function PendingLink() {
  const words = useWords('identity')
  // Members' pages render in the browser only, so this tab's storage can be read at once.
  const [found, setFound] = useState(pendingIdentity)
  // The next person at this device must not find it.
  useEffect(clearPendingIdentity, [])
  const go = useNavigate()
  const linking = useAction<typeof linkByTicket>('/thirdParty/link')
  if (!found) return null
  const { ticket, provider, name, jumpUrl } = found

  async function link(): Promise<void> {
    setFound(null)
    const isDone = await linking.run({ ticket }, { message: words('linked', { name: provider }) })
    if (isDone && jumpUrl) await go(decodeReturnPath(jumpUrl), { replace: true, state: { isBack: true } })
  }

  return (
    <p className="note">
      {name === null ? words('waiting', { name: provider }) : words('waitingAs', { provider, name })}{' '}
      <button type="button" className="button" disabled={linking.isBusy} onClick={() => void link()}>
        {words('link')}
      </button>{' '}
      <button type="button" className="button quiet" onClick={() => setFound(null)}>
        {words('notNow')}
      </button>
    </p>
  )
}
