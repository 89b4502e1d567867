import { useLoaderData, useLocation, useNavigate } from 'react-router'
import type { Output } from '#base/contract.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { bindingCalls, type Kind, type phoneBinding } from '#contact/contract.ts'
import { CodeSteps } from '#contact/web/code-steps.tsx'
import { CannotSend, paths } from '#contact/web/contact.tsx'
import css from '#contact/web/contact.module.css'

export type BindingData = Output<typeof phoneBinding> & { kind: Kind }

/** The bound address, or the form that binds one. */
export function Page() {
  const words = useWords('contact')
  const go = useNavigate()
  const back = new URLSearchParams(useLocation().search).get('jumpUrl')
  const { kind, bound, boundAt, canSend, countries } = useLoaderData<BindingData>()
  return (
    <section className={css.page}>
      <p className="meta">{words('what')}</p>
      {!canSend && <CannotSend kind={kind} />}
      {bound === null ? (
        canSend && (
          <CodeSteps
            kind={kind}
            countries={countries}
            asks={bindingCalls[kind].sendCode}
            asking={{ about: 'bind' }}
            sends={bindingCalls[kind].bind}
            action={words('bind')}
            then={() => {
              toast(words('bound'))
              return go(back ? decodeReturnPath(back) : '/user/control/signInMethods')
            }}
          />
        )
      ) : (
        <>
          <p>
            <strong>{bound}</strong>
          </p>
          {boundAt && (
            <p className="meta">
              {words('boundSince')} <Time at={boundAt} />
            </p>
          )}
          {canSend && (
            <Link to={paths[kind].stepOne} className="button">
              {words('change')}
            </Link>
          )}
        </>
      )}
    </section>
  )
}
