import { useEffect, useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { ShortListTable } from '#base/admin/short-list-table.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { deviceName } from '#base/device-name.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { NewPasswordFields } from '#base/web/new-password.tsx'
import { useAddress } from '#base/web/region.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { SecondFactor } from '#staff/admin/second-factor.tsx'
import { me, type Me } from '#staff/admin/staff.tsx'
import { changeOwnPassword, type endOwnSession, type ownSessions } from '#staff/contract.ts'

type Data = { who: Me; sessions: Output<typeof ownSessions>['sessions'] }

export function Page() {
  const words = useWords('staffAdmin')
  const { who, sessions } = useLoaderData<Data>()
  // The menu shows new permissions immediately.
  useEffect(() => me.set(who), [who])
  const goOn = useContinue(who)
  return (
    <div className="column">
      <h1>{words('self')}</h1>
      <p className="meta">{words('selfWhat', { account: who.account })}</p>
      {who.owes.map((what) => (
        <p key={what} className="note" role="status">
          {words(what === 'password' ? 'owesPassword' : 'owesSecondFactor')}
        </p>
      ))}
      <h2>{words('secondFactor')}</h2>
      <SecondFactor who={who} saved={goOn} />
      <h2>{words('password')}</h2>
      {/* New recovery codes have to be shown even where the second factor is still required. */}
      <NewPassword changed={who.owes.includes('secondFactor') ? undefined : goOn} />
      <h2>{words('sessions')}</h2>
      <Sessions sessions={sessions} />
    </div>
  )
}

/** After the required steps, staff continue to the page they first asked for. */
function useContinue({ owes }: Me): () => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [isDone, setDone] = useState(false)
  const next = search.get('next') ?? ''
  const mayGo = isDone && owes.length === 0 && /^\/admin(?![^/?])/.test(next)
  useEffect(() => {
    if (mayGo) void navigate(next, { replace: true })
  }, [mayGo, navigate, next])
  return () => setDone(true)
}

function NewPassword({ changed }: { changed: (() => void) | undefined }) {
  const words = useWords('staffAdmin')

  function done(): void {
    toast(words('passwordChanged'))
    changed?.()
  }

  return (
    <Form endpoint={changeOwnPassword} onSuccess={done} resetsOnSuccess>
      <NewPasswordFields label={words('newPassword')} help={words('newPasswordHelp')} required />
      <Submit>{words('changePassword')}</Submit>
    </Form>
  )
}

function Sessions({ sessions }: Pick<Data, 'sessions'>) {
  const words = useWords('staffAdmin')
  const address = useAddress()
  const end = useAction<typeof endOwnSession>('/admin/session/end')
  return (
    <ShortListTable
      items={sessions}
      columns={[
        { label: words('device'), text: ({ userAgent }) => deviceName(userAgent) ?? words('unknownDevice') },
        { label: words('ip'), text: address },
        { label: words('lastSeen'), time: ({ lastUsedAt }) => lastUsedAt },
      ]}
      renderActions={({ id, isThis }) =>
        isThis ? (
          <span className="mark">{words('thisOne')}</span>
        ) : (
          <button
            type="button"
            className="plain"
            disabled={end.isBusy}
            onClick={() => void end.run({ sessionId: id }, { message: words('sessionEnded') })}
          >
            {words('endSession')}
          </button>
        )
      }
    />
  )
}
