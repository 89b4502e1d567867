import { useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { register, type registerForm } from '#account/contract.ts'
import { signIn } from '#account/web/account.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Output } from '#base/contract.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { AskedFields } from '#field/web/field.tsx'

export function Page() {
  const words = useWords('account')
  const { isOpen, needsCaptcha, fields } = useLoaderData<Output<typeof registerForm>>()
  const go = useNavigate()
  const [query] = useSearchParams()
  const [tries, setTries] = useState(0)
  if (!isOpen) return <p className="empty">{words('registrationClosed')}</p>
  return (
    <section className="narrow">
      <h1>{words('registerTitle')}</h1>
      <Form
        sends={register}
        refused={() => setTries(tries + 1)}
        then={(answer) => {
          signIn(answer)
          say(words('welcome', { name: answer.systemUser.account }))
          return go(decodeReturnPath(query.get('jumpUrl')), { replace: true })
        }}
      >
        <Field
          name="account"
          label={words('account')}
          help={words('accountHelp')}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
        />
        <PasswordField name="password" label={words('password')} help={words('passwordHelp')} autoComplete="new-password" />
        <PasswordField name="passwordAgain" label={words('passwordAgain')} autoComplete="new-password" />
        <Field name="hintQuestion" label={words('hintQuestion')} help={words('hintQuestionHelp')} autoComplete="off" />
        <Field name="hintAnswer" label={words('hintAnswer')} help={words('hintAnswerHelp')} autoComplete="off" />
        <AskedFields fields={fields} />
        <CaptchaField purpose="register" isNeeded={needsCaptcha} tries={tries} />
        <Field name="agrees" type="checkbox" label={<Agreement />} />
        <Submit>{words('register')}</Submit>
      </Form>
      <p>
        {words('haveAccount')} <Link to={`/login?${query}`}>{words('logIn')}</Link>
      </p>
    </section>
  )
}

function Agreement() {
  const words = useWords('account')
  return (
    <>
      {words('agreeStart')}{' '}
      <Link to="/termsService" target="_blank">
        {words('termsLink')}
      </Link>
    </>
  )
}
