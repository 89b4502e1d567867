import { useEffect, useState } from 'react'
import { Link } from '#base/web/link.tsx'
import { login, type loginForm } from '#account/contract.ts'
import { signIn } from '#account/web/sign-in.ts'
import { ComingFrom } from '#account/web/coming-from.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { useApi } from '#base/web/api.ts'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'

export function Page() {
  const words = useWords('account')
  const { path, query, goBack } = useWayBack()
  const [tries, setTries] = useState(0)
  const isCaptchaNeeded = useLoginCaptcha(tries)
  return (
    <section className="narrow">
      <Drawing />
      <h1>{words('loginTitle')}</h1>
      <ComingFrom path={path} />
      <Form
        sends={login}
        refused={() => setTries(tries + 1)}
        then={(answer) => {
          signIn(answer)
          return goBack()
        }}
      >
        <Field name="account" label={words('account')} autoComplete="username" autoFocus />
        <PasswordField name="password" label={words('password')} autoComplete="current-password" />
        <CaptchaField purpose="login" isNeeded={isCaptchaNeeded} tries={tries} />
        <Submit>{words('logIn')}</Submit>
      </Form>
      <p>
        {words('noAccount')} <Link to={`/register${query}`}>{words('register')}</Link>
      </p>
    </section>
  )
}

/** Whether a login from here needs a captcha: asked when the page opens, and again after each refusal. */
function useLoginCaptcha(tries: number): boolean {
  const api = useApi()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    void api.read<typeof loginForm>('/account/loginForm', {}, { silent: true }).then((form) => setNeeded(form.needsCaptcha))
  }, [api, tries])
  return isNeeded
}
