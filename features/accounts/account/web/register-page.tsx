import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { register, type registerForm } from '#account/contract.ts'
import { Agreement } from '#account/web/agreement.tsx'
import { NameFields } from '#account/web/name-fields.tsx'
import { NewPassword } from '#account/web/new-password.tsx'
import { signIn } from '#account/web/sign-in.ts'
import { LoginCard } from '#account/web/login-card.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { useMethod, MethodTabs } from '#account/web/method-tabs.tsx'
import { proveAddress, registerBy, sendRegisterCode } from '#account/register-contract.ts'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Output } from '#base/contract.ts'
import type { Kind } from '#contact/contract.ts'
import { CodeSteps } from '#contact/web/contact.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { InvitationField } from '#invitation/web/invitation.tsx'
import { CustomFields } from '#field/web/field.tsx'

type RegisterFormData = Output<typeof registerForm>
type Session = Output<typeof register>

export function Page() {
  const words = useWords('account')
  const { isOpen, mode, needsCaptcha, ways, countries, fields } = useLoaderData<RegisterFormData>()
  const { path, query, goBack } = useReturnPath()
  const way = useMethod(ways) ?? 'account'
  if (!isOpen) return <Closed toLogin={`/login${query}`} />

  function entered(session: Session): void | Promise<void> {
    signIn(session)
    toast(words('welcome', { name: session.systemUser.nickname ?? session.systemUser.account }))
    return goBack()
  }

  return (
    <LoginCard at="/register" path={path} query={query}>
      <MethodTabs methods={ways} chosen={way} label={words('waysToRegister')} />
      {way === 'account' ? (
        <ByAccount mode={mode} needsCaptcha={needsCaptcha} fields={fields} entered={entered} />
      ) : (
        <ByAddress key={way} kind={way} mode={mode} countries={countries} fields={fields} entered={entered} />
      )}
    </LoginCard>
  )
}

type MethodProps = Pick<RegisterFormData, 'mode' | 'fields'> & { entered: (session: Session) => void | Promise<void> }

function ByAccount({ mode, needsCaptcha, fields, entered }: MethodProps & Pick<RegisterFormData, 'needsCaptcha'>) {
  const words = useWords('account')
  const [tries, setTries] = useState(0)
  return (
    <Form endpoint={register} onRefused={() => setTries(tries + 1)} onSuccess={entered}>
      <InvitationField isNeeded={mode === 'invitation'} />
      <NameFields />
      <NewPassword label={words('password')} />
      <CustomFields fields={fields} />
      <CaptchaField purpose="register" isNeeded={needsCaptcha} tries={tries} />
      <Field name="agrees" type="checkbox" label={<Agreement />} />
      <Submit>{words('register')}</Submit>
    </Form>
  )
}

/** First the address, then the account, with the ticket that the address's code gave. */
function ByAddress({ kind, mode, countries, fields, entered }: MethodProps & Pick<RegisterFormData, 'countries'> & { kind: Kind }) {
  const words = useWords('account')
  const [ticket, keep] = useState<string | null>(null)
  const [code, type] = useState<string | null>(null)
  const invitation = <InvitationField isNeeded={mode === 'invitation'} typed={code} type={type} />
  if (ticket === null)
    return (
      <CodeSteps
        kind={kind}
        countries={countries}
        asks={sendRegisterCode}
        asking={{ kind }}
        sends={proveAddress}
        giving={{ kind }}
        action={words('goOn')}
        then={(result) => keep(result.ticket)}
      >
        {mode === 'invitation' && invitation}
      </CodeSteps>
    )
  return (
    <Form endpoint={registerBy} extra={{ ticket }} onSuccess={entered}>
      <p role="status">{words('addressShown')}</p>
      {invitation}
      <NameFields isGenerated />
      <NewPassword label={words('password')} />
      <CustomFields fields={fields} />
      <Field name="agrees" type="checkbox" label={<Agreement />} />
      <p className="actions">
        <Submit>{words('register')}</Submit>
        <button type="button" className="button quiet" onClick={() => keep(null)}>
          {words('startAgain')}
        </button>
      </p>
    </Form>
  )
}

function Closed({ toLogin }: { toLogin: string }) {
  const words = useWords('account')
  const way = (
    <Link to={toLogin} className="button">
      {words('logIn')}
    </Link>
  )
  return (
    <Empty title={words('registerTitle')} action={way}>
      {words('registrationClosed')}
    </Empty>
  )
}
