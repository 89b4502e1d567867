import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { login, loginBy, sendLoginCode, type loginForm } from '#account/contract.ts'
import { signIn } from '#account/web/sign-in.ts'
import { PasskeyLogin } from '#account/web/passkey-button.tsx'
import { SecondStep } from '#account/web/second-step.tsx'
import { LoginCard } from '#account/web/login-card.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { useMethod, MethodTabs } from '#account/web/method-tabs.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { AddressFields, CodeSteps, useAddressState } from '#contact/web/contact.tsx'
import type { Kind } from '#contact/contract.ts'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

type LoginAnswer = Output<typeof login>
type Step = Extract<LoginAnswer, { secondFactor: unknown }>['secondFactor']

export function Page() {
  const words = useWords('account')
  const { path, query, goBack } = useReturnPath()
  const [tries, setTries] = useState(0)
  const { needsCaptcha, ways, codes, countries, canRecover } = useLoginForm(tries)
  const way = useMethod(ways) ?? 'account'
  const its = { tries, needsCaptcha, refused: () => setTries(tries + 1), entered }

  const [step, setStep] = useState<Step | null>(null)

  function entered(view: LoginAnswer): void | Promise<void> {
    if ('secondFactor' in view) return setStep(view.secondFactor)
    signIn(view)
    return goBack()
  }

  if (step)
    return (
      <section className="narrow">
        <h1>{words('loginTitle')}</h1>
        <SecondStep step={step} entered={entered} again={() => setStep(null)} />
      </section>
    )

  return (
    <LoginCard at="/login" path={path} query={query}>
      <MethodTabs methods={ways} chosen={way} label={words('ways')} />
      {way === 'account' ? (
        <ByAccount {...its} />
      ) : (
        <ByAddress key={way} kind={way} countries={countries} takesCode={codes.includes(way)} {...its} />
      )}
      <PasskeyLogin entered={entered} />
      {canRecover && (
        <p>
          <Link to={`/findPassWord/step1${query}`}>{words('forgotPassword')}</Link>
        </p>
      )}
    </LoginCard>
  )
}

type MethodProps = { tries: number; needsCaptcha: boolean; refused: () => void; entered: (view: LoginAnswer) => void | Promise<void> }

function ByAccount({ tries, needsCaptcha, refused, entered }: MethodProps) {
  const words = useWords('account')
  return (
    <Form endpoint={login} onRefused={refused} onSuccess={entered}>
      <Field name="account" label={words('account')} autoComplete="username" autoFocus />
      <PasswordField name="password" label={words('password')} autoComplete="current-password" />
      <CaptchaField purpose="login" isNeeded={needsCaptcha} tries={tries} />
      <Submit>{words('logIn')}</Submit>
    </Form>
  )
}

type AddressProps = MethodProps & { kind: Kind; countries: LoginFormData['countries']; takesCode: boolean }

function ByAddress({ kind, countries, takesCode, tries, needsCaptcha, refused, entered }: AddressProps) {
  const words = useWords('account')
  const [isByCode, choose] = useState(false)
  const typing = useAddressState(kind, countries)
  return (
    <>
      {isByCode ? (
        <CodeSteps
          kind={kind}
          countries={countries}
          asks={sendLoginCode}
          asking={{ kind }}
          sends={loginBy}
          giving={{ kind }}
          action={words('logIn')}
          then={entered}
          typing={typing}
        />
      ) : (
        <Form endpoint={loginBy} extra={{ kind }} onRefused={refused} onSuccess={entered}>
          <AddressFields kind={kind} countries={countries} {...typing} />
          <PasswordField name="password" label={words('password')} autoComplete="current-password" required />
          <CaptchaField purpose="login" isNeeded={needsCaptcha} tries={tries} />
          <Submit>{words('logIn')}</Submit>
        </Form>
      )}
      {takesCode && (
        <p>
          <button type="button" className="plain" onClick={() => choose(!isByCode)}>
            {words(isByCode ? 'withPassword' : 'withCode')}
          </button>
        </p>
      )}
    </>
  )
}

type LoginFormData = Output<typeof loginForm>

/** The login methods, and whether a captcha is due from here: loaded with the page, and again after each refusal. */
function useLoginForm(tries: number): LoginFormData {
  const api = useApi()
  const loaded = useLoaderData<LoginFormData>()
  const [anew, setAnew] = useState<LoginFormData | null>(null)
  useEffect(() => {
    if (tries > 0)
      void api.read<typeof loginForm>('/account/loginForm', {}, { silent: true }).then(
        setAnew,
        () => undefined, // the previous data still stands
      )
  }, [api, tries])
  return anew ?? loaded
}
