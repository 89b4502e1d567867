import { useEffect, useRef, useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import type { registerForm } from '#account/contract.ts'
import type { Output } from '#base/contract.ts'
import { Agreement } from '#account/web/agreement.tsx'
import { NameFields } from '#account/web/name-fields.tsx'
import { SecondStep } from '#account/web/second-step.tsx'
import { signIn } from '#account/web/sign-in.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { useApi } from '#base/web/api.ts'
import { FieldErrors } from '#base/web/call.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { registerByTicket, type endWay } from '#identity/contract.ts'
import { InvitationField } from '#invitation/web/invitation.tsx'
import { CustomFields } from '#field/web/field.tsx'
import { storePendingIdentity, returnPath } from '#identity/web/pending-identity.ts'

type NewAccount = { ticket: string; provider: string; name: string | null; jumpUrl: string | null }
type Step = Extract<NonNullable<Output<typeof endWay>['session']>, { secondFactor: unknown }>['secondFactor'] & { jumpUrl: string | null }
type State = { failure: string | null; isNew: NewAccount | null; step: Step | null; retry: (() => void) | null }

/** The callback page of identity providers. Its parameters are submitted once and removed from the address. */
export function Page() {
  const words = useWords('identity')
  const { failure, isNew, step, retry } = useProviderCallback()
  if (isNew) return <Newcomer {...isNew} />
  if (step) return <OneMoreStep step={step} />
  return (
    <section className="narrow">
      <h1>{words('arrivingTitle')}</h1>
      {failure === null ? (
        <p role="status">{words('arriving')}</p>
      ) : (
        <>
          <p role="alert">{failure}</p>
          {retry ? (
            <button type="button" className="button" onClick={retry}>
              {words('retry')}
            </button>
          ) : (
            <Link to={returnPath()} className="button">
              {words('back')}
            </Link>
          )}
        </>
      )}
    </section>
  )
}

const pendingState: State = { failure: null, isNew: null, step: null, retry: null }

function useProviderCallback(): State {
  const api = useApi()
  const go = useNavigate()
  const words = useWords('identity')
  const language = useLanguage()
  const [query] = useSearchParams()
  const isUnderWay = useRef(false)
  const [state, setState] = useState<State>(pendingState)

  function take({ outcome, session, ticket, provider, name, jumpUrl }: Output<typeof endWay>): unknown {
    if (outcome === 'linked') {
      toast(words('linked', { name: provider.name[language] }))
      return go('/user/control/signInMethods', { replace: true })
    }
    if (session && 'secondFactor' in session) return setState({ ...pendingState, step: { ...session.secondFactor, jumpUrl } })
    if (session) {
      signIn(session)
      return go(decodeReturnPath(jumpUrl), { replace: true, state: { isBack: true } })
    }
    return setState({ ...pendingState, isNew: ticket === null ? null : { ticket, provider: provider.name[language], name, jumpUrl } })
  }

  function fail(error: unknown): void {
    const isLost = !(error instanceof FieldErrors)
    setState({ ...pendingState, failure: isLost ? words('lost') : error.message, retry: isLost ? send : null })
  }

  function send(): void {
    setState(pendingState)
    api.write<typeof endWay>('/thirdParty/loginRedirect', { answer: query.toString() || '?' }, { silent: true }).then(take, fail)
  }

  useEffect(() => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    send()
    // The parameters are secret and can be used once.
    history.replaceState(history.state, '', location.pathname)
  })
  return state
}

function OneMoreStep({ step }: { step: Step }) {
  const ofAccount = useWords('account')
  const go = useNavigate()
  return (
    <section className="narrow">
      <h1>{ofAccount('loginTitle')}</h1>
      <SecondStep
        step={step}
        entered={(session) => {
          signIn(session)
          return go(decodeReturnPath(step.jumpUrl), { replace: true, state: { isBack: true } })
        }}
        again={() => void go(`/login${step.jumpUrl ? `?jumpUrl=${step.jumpUrl}` : ''}`, { replace: true })}
      />
    </section>
  )
}

function Newcomer({ ticket, provider, name, jumpUrl }: NewAccount) {
  const words = useWords('identity')
  const ofAccount = useWords('account')
  const go = useNavigate()
  const { isOpen, mode, fields } = useLoaderData<Output<typeof registerForm>>()
  return (
    <section className="narrow">
      <h1>{words('newTitle')}</h1>
      <p>{name === null ? words('isNew', { provider }) : words('isNewAs', { provider, name })}</p>
      {isOpen ? (
        <Form
          endpoint={registerByTicket}
          extra={{ ticket }}
          onSuccess={(session) => {
            signIn(session)
            toast(ofAccount('welcome', { name: session.systemUser.nickname ?? session.systemUser.account }))
            return go(decodeReturnPath(jumpUrl), { replace: true, state: { isBack: true } })
          }}
        >
          <InvitationField isNeeded={mode === 'invitation'} />
          <NameFields suggestion={name ?? ''} />
          <CustomFields fields={fields} />
          <Field name="agrees" type="checkbox" label={<Agreement />} />
          <Submit>{words('makeAccount')}</Submit>
        </Form>
      ) : (
        <p>{ofAccount('registrationClosed')}</p>
      )}
      <p>
        {words('haveAccount')}{' '}
        <Link
          to={`/login?jumpUrl=${encodeReturnPath('/user/control/signInMethods')}`}
          onClick={() => storePendingIdentity({ ticket, provider, name, jumpUrl })}
        >
          {words('logInAndLink')}
        </Link>
      </p>
    </section>
  )
}
