import { useLocation, useNavigate } from 'react-router'
import { recoverStep2 } from '#account/recover-contract.ts'
import { NewPassword } from '#account/web/new-password.tsx'
import { useReturnPath } from '#account/web/return-path.ts'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Step two: the new password, by the ticket that step one gave to this tab. */
export function Page() {
  const words = useWords('account')
  const go = useNavigate()
  const { query } = useReturnPath()
  const { ticket }: { ticket?: string } = useLocation().state ?? {}
  if (!ticket) return <Start to={`/findPassWord/step1${query}`} />
  return (
    <section className="narrow">
      <h1>{words('newPasswordTitle')}</h1>
      <p className="meta">{words('newPasswordWhat')}</p>
      <Form
        endpoint={recoverStep2}
        extra={{ ticket }}
        onSuccess={() => {
          toast(words('recovered'))
          return go(`/login${query}`, { replace: true })
        }}
      >
        <NewPassword label={words('newPassword')} />
        <Submit>{words('setNewPassword')}</Submit>
      </Form>
      <p>
        <Link to={`/findPassWord/step1${query}`}>{words('startAgain')}</Link>
      </p>
    </section>
  )
}

function Start({ to }: { to: string }) {
  const words = useWords('account')
  const way = (
    <Link to={to} className="button">
      {words('startAgain')}
    </Link>
  )
  return (
    <Empty title={words('newPasswordTitle')} action={way}>
      {words('recoveryExpired')}
    </Empty>
  )
}
