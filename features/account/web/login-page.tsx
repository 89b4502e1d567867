import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { login } from '#account/contract.ts'
import { signIn } from '#account/web/account.tsx'
import { CaptchaField, useLoginCaptcha } from '#account/web/captcha-field.tsx'
import { decodeReturnPath } from '#base/return-path.ts'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

export function Page() {
  const words = useWords('account')
  const [query] = useSearchParams()
  const go = useNavigate()
  const [tries, setTries] = useState(0)
  const isCaptchaNeeded = useLoginCaptcha(tries)
  return (
    <section className="narrow">
      <h1>{words('loginTitle')}</h1>
      <Form
        sends={login}
        refused={() => setTries(tries + 1)}
        then={(answer) => {
          signIn(answer)
          return go(decodeReturnPath(query.get('jumpUrl')), { replace: true })
        }}
      >
        <Field name="account" label={words('account')} autoComplete="username" autoFocus />
        <PasswordField name="password" label={words('password')} autoComplete="current-password" />
        <CaptchaField purpose="login" isNeeded={isCaptchaNeeded} tries={tries} />
        <Submit>{words('logIn')}</Submit>
      </Form>
      <p>
        {words('noAccount')} <Link to={`/register?${query}`}>{words('register')}</Link>
      </p>
    </section>
  )
}
