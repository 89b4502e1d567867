import type { z } from 'zod'
import { loginStep2 } from '#account/login-contract.ts'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import type { SecondStep as Step } from '#second-factor/contract.ts'

type Props = {
  step: z.infer<typeof Step>
  entered: (session: Output<typeof loginStep2>) => void | Promise<void>
  again: () => void
}

/** After the password: a code of the app, or a recovery code. */
export function SecondStep({ step: { ticket }, entered, again }: Props) {
  const words = useWords('account')
  const ofCodes = useWords('secondFactor')
  return (
    <>
      <p>{words('stepTwoWhat')}</p>
      <Form sends={loginStep2} along={{ ticket }} then={entered}>
        <Field
          name="code"
          label={ofCodes('code')}
          help={ofCodes('codeHelp')}
          autoComplete="one-time-code"
          maxLength={40}
          required
          autoFocus
        />
        <Field name="trusts" type="checkbox" label={words('trusts')} />
        <Submit>{words('logIn')}</Submit>
      </Form>
      <p>
        <button type="button" className="plain" onClick={again}>
          {words('startAgain')}
        </button>
      </p>
    </>
  )
}
