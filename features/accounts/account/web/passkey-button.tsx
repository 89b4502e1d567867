import { askPasskeyLogin, loginByPasskey } from '#account/login-contract.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { useWords } from '#base/web/words.tsx'
import { showPasskey } from '#second-factor/web/second-factor.tsx'

type Entered = (session: Output<typeof loginByPasskey>) => void | Promise<void>

/** Logs in by any passkey, without an account name. */
export function PasskeyLogin({ entered }: { entered: Entered }) {
  const words = useWords('secondFactor')
  const ask = useAction<typeof askPasskeyLogin>(askPasskeyLogin.path)
  const enter = useAction<typeof loginByPasskey>(loginByPasskey.path)

  async function logIn(): Promise<void> {
    const options = await ask.run({}, { onSuccess: () => undefined })
    const passkey = options && (await showPasskey(options, words))
    if (passkey) await enter.run({ passkey }, { onSuccess: entered })
  }

  return (
    <p>
      <button type="button" className="button quiet" disabled={ask.isBusy || enter.isBusy} onClick={() => void logIn()}>
        {words('withPasskey')}
      </button>
    </p>
  )
}
