import { useState } from 'react'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { PersonLink, Yuan } from '#base/admin/staff-list.tsx'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { PaymentLink } from '#payment/admin/payment.tsx'
import css from '#payment/admin/payment.module.css'
import { declineRefund, type RefundRequestView } from '#payment/refund-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

/** On the page of a payment: that its member asks for a refund, since when, and why. */
export function RefundRequest({ request }: { request: RefundRequestView }) {
  const words = useWords('paymentAdmin')
  const [isOpen, setOpen] = useState(false)
  const { member, askedAt, reason } = request
  return (
    <section className={`note ${css.request}`} aria-labelledby="refund-request">
      <h2 id="refund-request">{words('refundRequested')}</h2>
      <p className="meta">
        <PersonLink of={member} /> · <ExactTime at={askedAt} />
      </p>
      <blockquote>{reason}</blockquote>
      {mayDo('payment.refund') && (
        <button type="button" className="button quiet" onClick={() => setOpen(true)}>
          {words('declineRefund')}
        </button>
      )}
      <DeclineDialog request={isOpen ? request : null} close={() => setOpen(false)} />
    </section>
  )
}

/** The refunds that members ask for. The page of the payment refunds it. */
export function RefundRequests({ rows }: { rows: readonly RefundRequestView[] }) {
  const words = useWords('paymentAdmin')
  const [declined, choose] = useState<RefundRequestView | null>(null)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="refund-requests">
      <h2 id="refund-requests">{words('refundRequests')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              {['askedAt', 'payment', 'member', 'reason', 'refundable', 'actions'].map((name) => (
                <th key={name}>{words(name)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Request key={row.id} row={row} decline={() => choose(row)} />
            ))}
          </tbody>
        </table>
      </div>
      <DeclineDialog request={declined} close={() => choose(null)} />
    </section>
  )
}

function Request({
  row: { askedAt, paymentNumber, member, reason, refundable },
  decline,
}: {
  row: RefundRequestView
  decline: () => void
}) {
  const words = useWords('paymentAdmin')
  return (
    <tr>
      <td>
        <ExactTime at={askedAt} />
      </td>
      <td data-label={words('payment')}>
        <PaymentLink number={paymentNumber} />
      </td>
      <td data-label={words('member')}>
        <PersonLink of={member} />
      </td>
      <td data-label={words('reason')}>{reason}</td>
      <td data-label={words('refundable')}>
        <Yuan of={refundable} />
      </td>
      <td>
        {mayDo('payment.refund') && (
          <span className={css.standing}>
            <Link to={`/admin/payment/view?number=${paymentNumber}`} className="button">
              {words('refundOnPage')}
            </Link>
            <button type="button" className="button quiet" onClick={decline}>
              {words('declineRefund')}
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}

function DeclineDialog({ request, close }: { request: RefundRequestView | null; close: () => void }) {
  const words = useWords('paymentAdmin')
  return (
    <Dialog title={words('declineRefund')} isOpen={request !== null} close={close}>
      {request && <DeclineForm row={request} onDone={close} />}
    </Dialog>
  )
}

function DeclineForm({ row: { id, member }, onDone }: { row: RefundRequestView; onDone: () => void }) {
  const words = useWords('paymentAdmin')
  return (
    <Form
      endpoint={declineRefund}
      extra={{ requestId: id }}
      onSuccess={() => {
        onDone()
        toast(words('refundDeclined'))
      }}
    >
      <p>{words('declineRefundWhat', { name: member.name })}</p>
      <TextField name="reason" label={words('reason')} help={words('refundReasonRead')} maxLength={500} rows={2} required data-first />
      <Submit>{words('declineRefund')}</Submit>
    </Form>
  )
}
