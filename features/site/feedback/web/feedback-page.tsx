import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Closed } from '#base/web/closed.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import { maxLength, sendFeedback, type feedbackForm } from '#feedback/contract.ts'

export function Page() {
  const words = useWords('feedback')
  const { isOpen, needsCaptcha } = useLoaderData<Output<typeof feedbackForm>>()
  const [isSent, setSent] = useState(false)
  const [tries, setTries] = useState(0)
  return (
    <section className="narrow">
      <h1>{words('title')}</h1>
      {!isOpen && <Closed>{words('closed')}</Closed>}
      {isOpen && isSent && <Sent another={() => setSent(false)} />}
      {isOpen && !isSent && (
        <>
          <p className="meta">{words('what')}</p>
          <Form endpoint={sendFeedback} onSuccess={() => setSent(true)} onRefused={() => setTries(tries + 1)}>
            <Field name="name" label={words('name')} maxLength={maxLength.name} autoComplete="name" />
            <Field name="contact" label={words('contact')} help={words('contactHelp')} maxLength={maxLength.contact} autoComplete="email" />
            <TextField name="content" label={words('content')} maxLength={maxLength.content} rows={6} />
            <CaptchaField purpose="feedback" isNeeded={needsCaptcha} tries={tries} />
            <Submit>{words('send')}</Submit>
          </Form>
        </>
      )}
    </section>
  )
}

function Sent({ another }: { another: () => void }) {
  const words = useWords('feedback')
  return (
    <Empty
      action={
        <p>
          <Link to="/index" className="button">
            {words('toIndex')}
          </Link>{' '}
          <button type="button" className="button quiet" onClick={another}>
            {words('another')}
          </button>
        </p>
      }
    >
      <span role="status">{words('sent')}</span>
    </Empty>
  )
}
