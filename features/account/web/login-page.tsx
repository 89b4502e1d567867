import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { login } from '#account/contract.ts'
import { useSignIn } from '#account/web/account.tsx'
import { CaptchaField } from '#account/web/captcha-field.tsx'
import { decodeReturnPath } from '#base/return-path.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

export function Page() {
  const words = useWords('account')
  const [query] = useSearchParams()
  const signIn = useSignIn()
  const go = useNavigate()
  const [tries, setTries] = useState(0)
  return (
    <section className="narrow">
      <h1>{words('loginTitle')}</h1>
      <Form
        sends={login}
        refused={() => setTries(tries + 1)}
        then={(answer) => {
          signIn(answer)
          void go(decodeReturnPath(query.get('jumpUrl')), { replace: true })
        }}
      >
        <Field name="account" label={words('account')} autoComplete="username" autoFocus />
        <Field name="password" type="password" label={words('password')} autoComplete="current-password" />
        <CaptchaField purpose="login" tries={tries} />
        <Submit>{words('logIn')}</Submit>
      </Form>
      <p>
        {words('noAccount')} <Link to="/register">{words('register')}</Link>
      </p>
    </section>
  )
}
