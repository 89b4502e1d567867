import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { register, type registerForm } from '#account/contract.ts'
import { Agreement } from '#account/web/agreement.tsx'
import { Names } from '#account/web/names.tsx'
import { NewPasswordField } from '#account/web/new-password.tsx'
import { signIn } from '#account/web/sign-in.ts'
import { ComingFrom } from '#account/web/coming-from.tsx'
import { useWayBack } from '#account/web/way-back.ts'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
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
        <NewPasswordField label={words('password')} />
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
