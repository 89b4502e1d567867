import { useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { accountName, password, register, type registerForm, type suggestAccount } from '#account/contract.ts'
import { Agreement } from '#account/web/agreement.tsx'
import { signIn } from '#account/web/sign-in.ts'
import { ComingFrom } from '#account/web/coming-from.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { Empty } from '#base/web/states.tsx'
import { say } from '#base/web/toast.tsx'
import { Drawing } from '#base/web/drawing.tsx'
import { useWords } from '#base/web/words.tsx'
import { AskedFields } from '#field/web/field.tsx'

export function Page() {
  const words = useWords('account')
  const { isOpen, needsCaptcha, fields } = useLoaderData<Output<typeof registerForm>>()
  const { path, query, goBack } = useWayBack()
  const [tries, setTries] = useState(0)
  if (!isOpen) return <Closed toLogin={`/login${query}`} />
  return (
    <section className="narrow">
      <Drawing />
      <h1>{words('registerTitle')}</h1>
      <ComingFrom path={path} />
      <Form
        sends={register}
        refused={() => setTries(tries + 1)}
        then={(answer) => {
          signIn(answer)
          say(words('welcome', { name: answer.systemUser.nickname ?? answer.systemUser.account }))
          return goBack()
        }}
      >
        <Names />
        <Password />
        <AskedFields fields={fields} />
        <CaptchaField purpose="register" isNeeded={needsCaptcha} tries={tries} />
        <Field name="agrees" type="checkbox" label={<Agreement />} />
        <Submit>{words('register')}</Submit>
      </Form>
      <p>
        {words('haveAccount')} <Link to={`/login${query}`}>{words('logIn')}</Link>
      </p>
    </section>
  )
}

function Closed({ toLogin }: { toLogin: string }) {
  const words = useWords('account')
  const way = (
    <Link to={toLogin} className="button">
      {words('logIn')}
    </Link>
  )
  return <Empty deed={way}>{words('registrationClosed')}</Empty>
}

/** The name to log in with, and the one to be called by. Who types the second in the place of the first is helped. */
function Names() {
  const words = useWords('account')
  const api = useApi()
  const [typed, setTyped] = useState('')
  const account = useRef<HTMLInputElement>(null)
  const nickname = useRef<HTMLInputElement>(null)

  async function suggest(): Promise<void> {
    const called = typed.trim()
    const made = await api.read<typeof suggestAccount>('/account/suggestName', { nickname: called })
    fill(nickname.current, called)
    fill(account.current, made.account)
    account.current?.select()
  }

  return (
    <>
      <Field
        ref={account}
        name="account"
        label={words('account')}
        rule={{ text: words('accountHelp'), isMet: accountName.safeParse(typed).success }}
        after={
          /[^\p{ASCII}]/u.test(typed) && (
            <p className="note" role="status">
              {words('isNickname')}{' '}
              <button type="button" className="button quiet" onClick={() => void suggest()}>
                {words('makeAccount')}
              </button>
            </p>
          )
        }
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
      />
      <Field ref={nickname} name="nickname" label={words('nickname')} help={words('nicknameHelp')} maxLength={15} autoComplete="nickname" />
    </>
  )
}

// As if it had been typed, so that what was said of it before is said no more.
function fill(input: HTMLInputElement | null, text: string): void {
  if (!input) return
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function Password() {
  const words = useWords('account')
  const [typed, setTyped] = useState('')
  return (
    <PasswordField
      name="password"
      label={words('password')}
      rule={{ text: words('passwordHelp'), isMet: password.safeParse(typed).success }}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      autoComplete="new-password"
    />
  )
}
