import { useState } from 'react'
import { useLoaderData, useNavigate } from 'react-router'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { bindingCalls } from '#contact/contract.ts'
import type { BindingData } from '#contact/web/binding-page.tsx'
import { CodeSteps } from '#contact/web/code-steps.tsx'
import { CannotSend, paths } from '#contact/web/contact.tsx'
import css from '#contact/web/contact.module.css'

/** Proof of ownership: a recent or new re-authentication, or a code to the bound address. */
export function Page() {
  const words = useWords('contact')
  const go = useNavigate()
  const { kind, bound, canSend, countries } = useLoaderData<BindingData>()
  const [way, choose] = useState<'proof' | 'code'>('proof')
  const { sendCode, stepOne } = bindingCalls[kind]
  const goOn = () => go(paths[kind].stepTwo)
  if (bound === null) return <Unbound to={paths[kind].binding} />
  if (!canSend) return <CannotSend kind={kind} />
  return (
    <section className={css.page}>
      <p className="meta">{words('stepOne')}</p>
      {way === 'proof' ? (
        <Form endpoint={stepOne} onSuccess={goOn}>
          <p>{words('proofWhat')}</p>
          <Submit>{words('goOn')}</Submit>
        </Form>
      ) : (
        <CodeSteps
          kind={kind}
          countries={countries}
          asks={sendCode}
          asking={{ about: 'old' }}
          sends={stepOne}
          action={words('goOn')}
          then={goOn}
          destination={bound}
        />
      )}
      <p>
        <button type="button" className="plain" onClick={() => choose(way === 'code' ? 'proof' : 'code')}>
          {way === 'code' ? words('byProof') : words('byCode', { to: bound })}
        </button>
      </p>
    </section>
  )
}

function Unbound({ to }: { to: string }) {
  const words = useWords('contact')
  return (
    <section className={css.page}>
      <p>{words('notBound')}</p>
      <Link to={to} className="button">
        {words('bind')}
      </Link>
    </section>
  )
}
