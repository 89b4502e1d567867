import { useState } from 'react'
import { useLocation } from 'react-router'
import { takeBack } from '#account/recover-contract.ts'
import { NewPassword } from '#account/web/new-password.tsx'
import type { Output } from '#base/contract.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'

/** The target of the link in a security alert: nothing happens before the form is sent. */
export function Page() {
  const words = useWords('account')
  // The link lies after the #, so that it reaches no log, no statistics and no other site.
  const link = useLocation().hash.slice(1)
  const [done, setDone] = useState<Output<typeof takeBack> | null>(null)
  const [isOver, end] = useState(false)
  if (done) return <Done {...done} />
  if (!link || isOver)
    return (
      <Empty title={words('takeBackTitle')} action={<OtherOptions />}>
        {words('takeBackExpired')}
      </Empty>
    )
  return (
    <section className="narrow">
      <h1>{words('takeBackTitle')}</h1>
      <p>{words('takeBackWhat')}</p>
      <Form endpoint={takeBack} extra={{ link }} onSuccess={setDone} onRefused={(fields) => 'account' in fields && end(true)}>
        <NewPassword label={words('newPassword')} />
        <Submit>{words('takeBack')}</Submit>
      </Form>
    </section>
  )
}

function Done({ account, missing, removed }: Output<typeof takeBack>) {
  const words = useWords('account')
  return (
    <section className="narrow">
      <h1>{words('takeBackTitle')}</h1>
      <p role="status">{words('takenBack', { account })}</p>
      {removed.length > 0 && (
        <>
          <p className="note">{words('takenBackRemoved')}</p>
          <ul>
            {removed.map((one, index) => (
              <li key={index}>{words('removedOne', one)}</li>
            ))}
          </ul>
        </>
      )}
      {missing.length > 0 && <p className="note">{words('takenBackWithout')}</p>}
      <p>
        <Link to="/login" className="button">
          {words('logIn')}
        </Link>
      </p>
    </section>
  )
}

/** For an expired link: reset the password by a bound address, or write to staff. */
function OtherOptions() {
  const words = useWords('account')
  return (
    <div className="actions">
      <Link to="/findPassWord/step1" className="button">
        {words('recoverTitle')}
      </Link>
      <Link to="/feedback" className="button quiet">
        {words('toFeedback')}
      </Link>
    </div>
  )
}
