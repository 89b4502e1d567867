import type { z } from 'zod'
import { askPasskeyLogin, loginStep2 } from '#account/login-contract.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import type { SecondStep as Step } from '#second-factor/contract.ts'
import { showPasskey } from '#second-factor/web/second-factor.tsx'

type Props = {
  step: z.infer<typeof Step>
  entered: (session: Output<typeof loginStep2>) => void | Promise<void>
  again: () => void
}

/** After the password: a code of the authenticator app, a recovery code or a passkey. */
export function SecondStep({ step: { ticket, ways }, entered, again }: Props) {
  const words = useWords('account')
  const ofCodes = useWords('secondFactor')
  return (
    <>
      <p>{words('stepTwoWhat')}</p>
      <Form endpoint={loginStep2} extra={{ ticket }} onSuccess={entered}>
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
      {ways.includes('passkey') && <ByPasskey ticket={ticket} entered={entered} />}
      <p>
        <button type="button" className="plain" onClick={again}>
          {words('startAgain')}
        </button>
      </p>
    </>
  )
}

function ByPasskey({ ticket, entered }: Pick<Props, 'entered'> & { ticket: string }) {
  const words = useWords('secondFactor')
  const ask = useAction<typeof askPasskeyLogin>(askPasskeyLogin.path)
  const enter = useAction<typeof loginStep2>(loginStep2.path)

  async function show(): Promise<void> {
    const options = await ask.run({ ticket }, { onSuccess: () => undefined })
    const passkey = options && (await showPasskey(options, words))
    if (passkey) await enter.run({ ticket, passkey }, { onSuccess: entered })
  }

  return (
    <p>
      <button type="button" className="button quiet" disabled={ask.isBusy || enter.isBusy} onClick={() => void show()}>
        {words('withPasskey')}
      </button>
    </p>
  )
}
