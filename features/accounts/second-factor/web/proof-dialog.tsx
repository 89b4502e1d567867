import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, PasswordField, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { prove, type ProofMethod, type proofForm } from '#second-factor/contract.ts'
import { askPasskeyProof } from '#second-factor/passkey-contract.ts'
import { showPasskey } from '#second-factor/web/passkey.ts'
import { finishProof, pendingProof } from '#second-factor/web/pending-proof.ts'

/**
 * Re-authenticates before a request that changes the safety of the account, or takes money. The waiting requests then continue by
 * themselves.
 */
export function ProofDialog() {
  const words = useWords('secondFactor')
  const isAsked = pendingProof.use() !== null
  return (
    <Dialog title={words('proveTitle')} isOpen={isAsked} close={() => finishProof(false)}>
      <ProofForm />
    </Dialog>
  )
}

function ProofForm() {
  const api = useApi()
  const words = useWords('secondFactor')
  const [tries, setTries] = useState(0)
  const [ways, setWays] = useState<readonly ProofMethod[] | null | 'lost'>(null)
  useEffect(() => {
    void api.read<typeof proofForm>('/user/control/proofForm', {}, { silent: true }).then(
      (form: Output<typeof proofForm>) => setWays(form.ways),
      () => setWays('lost'),
    )
  }, [api, tries])
  if (ways === null) return <p className="meta">…</p>
  if (ways === 'lost')
    return (
      <p>
        {words('lost')}{' '}
        <button type="button" className="button quiet" onClick={() => setTries(tries + 1)}>
          {words('retry')}
        </button>
      </p>
    )
  if (ways.length === 0) return <LogInInstead />
  return (
    <>
      <p>{words('proveWhat')}</p>
      {ways.some((way) => way !== 'passkey') && (
        <Form endpoint={prove} onSuccess={() => finishProof(true)}>
          {ways.includes('code') ? (
            <Field
              name="code"
              label={words('code')}
              help={words('codeHelp')}
              autoComplete="one-time-code"
              maxLength={40}
              required
              autoFocus
            />
          ) : (
            <PasswordField name="password" label={words('password')} autoComplete="current-password" required autoFocus />
          )}
          <Submit>{words('goOn')}</Submit>
        </Form>
      )}
      {ways.includes('passkey') && <ByPasskey />}
    </>
  )
}

function ByPasskey() {
  const words = useWords('secondFactor')
  const ask = useAction<typeof askPasskeyProof>(askPasskeyProof.path)
  const show = useAction<typeof prove>(prove.path)

  async function go(): Promise<void> {
    const challenge = await ask.run({}, { onSuccess: () => undefined })
    const passkey = challenge && (await showPasskey(challenge, words))
    if (passkey) await show.run({ passkey }, { onSuccess: () => finishProof(true) })
  }

  return (
    <p>
      <button type="button" className="button quiet" disabled={ask.isBusy || show.isBusy} onClick={() => void go()}>
        {words('withPasskey')}
      </button>
    </p>
  )
}

function LogInInstead() {
  const words = useWords('secondFactor')
  const { pathname, search } = useLocation()
  return (
    <>
      <p>{words('logInInstead')}</p>
      <p>
        <Link to={`/login?jumpUrl=${encodeReturnPath(pathname + search)}&again=1`} className="button" onClick={() => finishProof(false)}>
          {words('logIn')}
        </Link>
      </p>
    </>
  )
}
