import { useLoaderData, useNavigate } from 'react-router'
import type { LoginMethod } from '#account/contract.ts'
import { recoverStep1, sendRecoveryCode, type recoverForm } from '#account/recover-contract.ts'
import { ByHint } from '#account/web/by-hint.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { useMethod, MethodTabs } from '#account/web/method-tabs.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { CodeSteps } from '#contact/web/contact.tsx'

/** Step one of a password reset: the account, by a code to a bound address, or by the hint question. */
export function Page() {
  const words = useWords('account')
  const go = useNavigate()
  const { ways, countries, staff } = useLoaderData<Output<typeof recoverForm>>()
  const { path, query } = useReturnPath()
  const way = useMethod(ways)
  const goOn = ({ ticket }: { ticket: string }) => go(`/findPassWord/step2${query}`, { state: { ticket, from: path } })
  if (!way) return <NoMethod staff={staff} toLogin={`/login${query}`} />
  return (
    <section className="narrow">
      <h1>{words('recoverTitle')}</h1>
      <MethodTabs methods={ways} chosen={way} label={words('recoverWays')} accountLabel={words('hintTitle')} />
      <p className="meta">{words(explanations[way])}</p>
      {way === 'account' ? (
        <ByHint then={goOn} />
      ) : (
        <CodeSteps
          key={way}
          kind={way}
          countries={countries}
          asks={sendRecoveryCode}
          asking={{ kind: way }}
          sends={recoverStep1}
          giving={{ kind: way }}
          action={words('goOn')}
          then={goOn}
        />
      )}
      {staff && (
        <p className="meta">
          {words('noneHelps')} <Link to={staffPages[staff]}>{words(staffWords[staff])}</Link>
        </p>
      )}
      <p>
        <Link to={`/login${query}`}>{words('backToLogin')}</Link>
      </p>
    </section>
  )
}

const explanations = {
  account: 'recoverByHint',
  phone: 'recoverByPhone',
  email: 'recoverByEmail',
} as const satisfies Record<LoginMethod, string>

type Staff = Output<typeof recoverForm>['staff']

const staffPages = { feedback: '/feedback', about: '/about' } as const
const staffWords = { feedback: 'toFeedback', about: 'toAbout' } as const

/** Neither codes nor questions are available: staff set a new password by hand. */
function NoMethod({ staff, toLogin }: { staff: Staff; toLogin: string }) {
  const words = useWords('account')
  const way = (
    <Link to={staff ? staffPages[staff] : toLogin} className="button">
      {words(staff ? staffWords[staff] : 'backToLogin')}
    </Link>
  )
  return (
    <Empty title={words('recoverTitle')} action={way}>
      {words(staff ? 'noWayToRecover' : 'nobodyToRecover')}
    </Empty>
  )
}
