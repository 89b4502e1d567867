import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { freezeBooks, thawBooks, type books } from '#wallet/contract.ts'
import css from '#wallet/admin/wallet.module.css'

type Books = Output<typeof books>

export function Page() {
  const words = useWords('walletAdmin')
  const { frozen, looks, late } = useLoaderData<Books>()
  return (
    <>
      <h1>{words('books')}</h1>
      <p className="meta">{words('booksWhat')}</p>
      <div className={css.narrow}>{frozen ? <Frozen frozen={frozen} /> : <FreezeForm />}</div>
      <h2>{words('looks')}</h2>
      {late.map(({ of, since }) => (
        <p key={of} className="note" role="alert">
          {words(of === 'new' ? 'newLate' : 'fullLate')} <Time at={since} />
        </p>
      ))}
      {looks.length === 0 && <p className="empty">{words('noLooks')}</p>}
      {looks.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>{words('at')}</th>
              <th>{words('look')}</th>
              <th>{words('found')}</th>
            </tr>
          </thead>
          <tbody>
            {looks.map(({ at, isFull, breaches }) => (
              <tr key={at}>
                <td>
                  <Time at={at} />
                </td>
                <td>{words(isFull ? 'fullLook' : 'newLook')}</td>
                <td>
                  {breaches.length === 0
                    ? words('allTrue')
                    : breaches.map(({ check, what }) => (
                        <p key={`${check} ${what}`}>
                          <strong>{check}</strong> {what}
                        </p>
                      ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Frozen({ frozen: { at, reason, byStaff } }: { frozen: NonNullable<Books['frozen']> }) {
  const words = useWords('walletAdmin')
  return (
    <>
      <p className="note">
        {words(byStaff ? 'frozenBy' : 'frozenByForum', { name: byStaff ?? '' })} <Time at={at} /> · {reason}
      </p>
      <Form endpoint={thawBooks} onSuccess={() => void toast(words('thawed'))}>
        <TextField name="reason" label={words('thawReason')} help={words('thawWhat')} maxLength={500} rows={2} required />
        <Submit>{words('thaw')}</Submit>
      </Form>
    </>
  )
}

function FreezeForm() {
  const words = useWords('walletAdmin')
  return (
    <Form endpoint={freezeBooks} onSuccess={() => void toast(words('frozenNow'))}>
      <TextField name="reason" label={words('reasonForLog')} help={words('freezeWhat')} maxLength={500} rows={2} required />
      <Submit danger>{words('freeze')}</Submit>
    </Form>
  )
}
