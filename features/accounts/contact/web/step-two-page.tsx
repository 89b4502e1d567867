import { useLoaderData, useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { bindingCalls } from '#contact/contract.ts'
import type { BindingData } from '#contact/web/binding-page.tsx'
import { CodeSteps } from '#contact/web/code-steps.tsx'
import { CannotSend, paths } from '#contact/web/contact.tsx'
import css from '#contact/web/contact.module.css'

/** The new address, by a code that is sent there. */
export function Page() {
  const words = useWords('contact')
  const go = useNavigate()
  const { kind, isProved, canSend, countries } = useLoaderData<BindingData>()
  const { sendCode, stepTwo } = bindingCalls[kind]
  if (!canSend) return <CannotSend kind={kind} />
  if (!isProved)
    return (
      <section className={css.page}>
        <p>{words('proveFirst')}</p>
        <Link to={paths[kind].stepOne} className="button">
          {words('startAgain')}
        </Link>
      </section>
    )
  return (
    <section className={css.page}>
      <p className="meta">{words('stepTwo')}</p>
      <CodeSteps
        kind={kind}
        countries={countries}
        asks={sendCode}
        asking={{ about: 'new' }}
        sends={stepTwo}
        action={words('change')}
        then={() => {
          toast(words('changed'))
          return go('/user/control/signInMethods')
        }}
      />
    </section>
  )
}
