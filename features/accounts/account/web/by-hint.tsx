import { useState } from 'react'
import { hintOfAccount, recoverByHint } from '#account/recover-contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'

/** First the account, then the answer to its question. */
export function ByHint({ then }: { then: (given: { ticket: string }) => void | Promise<void> }) {
  const words = useWords('account')
  const [account, setAccount] = useState('')
  const [question, setQuestion] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const refused = () => setTries(tries + 1)
  if (question === null)
    return (
      <Form
        key="account"
        endpoint={hintOfAccount}
        onRefused={refused}
        onSuccess={(found) => {
          setTries(tries + 1)
          setQuestion(found.question)
        }}
      >
        <Field
          name="account"
          label={words('account')}
          autoComplete="username"
          defaultValue={account}
          onInput={({ currentTarget }) => setAccount(currentTarget.value)}
        />
        <CaptchaField purpose="code" isNeeded tries={tries} />
        <Submit>{words('goOn')}</Submit>
      </Form>
    )
  return (
    <Form key="answer" endpoint={recoverByHint} extra={{ account }} onRefused={refused} onSuccess={then}>
      <p>{words('hintOf', { account })}</p>
      <p>
        <strong>{question}</strong>
      </p>
      <Field name="hintAnswer" label={words('hintAnswer')} help={words('hintTries')} autoComplete="off" autoFocus />
      <CaptchaField purpose="code" isNeeded tries={tries} />
      <p className="actions">
        <Submit>{words('goOn')}</Submit>
        <button type="button" className="button quiet" onClick={() => setQuestion(null)}>
          {words('anotherAccount')}
        </button>
      </p>
    </Form>
  )
}
