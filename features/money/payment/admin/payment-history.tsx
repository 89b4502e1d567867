import type { ReactNode } from 'react'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { DisputeState } from '#payment/admin/disputes-page.tsx'
import type { Payment } from '#payment/admin/views.ts'
import { RefundState } from '#payment/admin/refund-columns.tsx'
import { At, TransactionLink, Yuan } from '#payment/admin/cells.tsx'
import type { DisputeView, EventView, RefundView } from '#payment/staff-views.ts'
import css from '#payment/admin/payment.module.css'

type Step = { at: string; said: ReactNode }

export function Timeline({ payment: { createdAt, paidAt, closedAt, events, refunds, disputes } }: { payment: Payment }) {
  const words = useWords('paymentAdmin')
  const steps: Step[] = [
    { at: createdAt, said: words('stepBegun') },
    ...(paidAt ? [{ at: paidAt, said: words('stepPaid') }] : []),
    ...(closedAt ? [{ at: closedAt, said: words('stepClosed') }] : []),
    ...events.map((event) => ({ at: event.receivedAt, said: <EventStep event={event} /> })),
    ...refunds.flatMap(({ number, askedAt, endedAt, state }) => [
      { at: askedAt, said: words('stepRefund', { number }) },
      ...(endedAt ? [{ at: endedAt, said: words(state === 'done' ? 'stepRefunded' : 'stepRefundFailed', { number }) }] : []),
    ]),
    ...disputes.flatMap(({ openedAt, endedAt, state }) => [
      { at: openedAt, said: words('stepDispute') },
      ...(endedAt ? [{ at: endedAt, said: words(state === 'won' ? 'stepDisputeWon' : 'stepDisputeLost') }] : []),
    ]),
  ]
  return (
    <>
      <h2>{words('timeline')}</h2>
      <ol className={css.timeline}>
        {steps
          .toSorted((one, other) => one.at.localeCompare(other.at))
          .map(({ at, said }, place) => (
            <li key={place}>
              <At at={at} />
              <span>{said}</span>
            </li>
          ))}
      </ol>
    </>
  )
}

function EventStep({ event: { id, provider, kind, state } }: { event: EventView }) {
  const words = useWords('paymentAdmin')
  return (
    <>
      <Link to={`/admin/payment/event/view?eventId=${id}`}>
        {words('stepHeard', { provider: words(`provider${provider}`), kind: words(`kind${kind}`) })}
      </Link>{' '}
      {state !== 'done' && <span className="mark">{words(`event${state}`)}</span>}
    </>
  )
}

export function PaymentRefunds({ refunds }: { refunds: readonly RefundView[] }) {
  const words = useWords('paymentAdmin')
  if (refunds.length === 0) return null
  return (
    <>
      <h2>{words('refunds')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th>{words('refundNumber')}</th>
              <th>{words('state')}</th>
              <th>{words('reason')}</th>
              <th>{words('transaction')}</th>
              <th>{words('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {refunds.map((refund) => (
              <tr key={refund.number}>
                <td>{refund.number}</td>
                <td data-label={words('state')}>
                  <RefundState of={refund} />
                </td>
                <td data-label={words('reason')}>{refund.reason}</td>
                <td data-label={words('transaction')}>
                  <TransactionLink id={refund.transactionId} />
                </td>
                <td>
                  <Yuan of={refund.amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

export function PaymentDisputes({ disputes }: { disputes: readonly DisputeView[] }) {
  const words = useWords('paymentAdmin')
  if (disputes.length === 0) return null
  return (
    <>
      <h2>{words('disputes')}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th>{words('disputeNumber')}</th>
              <th>{words('state')}</th>
              <th>{words('disputeReason')}</th>
              <th>{words('transaction')}</th>
              <th>{words('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {disputes.map(({ id, providerNumber, amount, state, reason, transactionId }) => (
              <tr key={id}>
                <td>{providerNumber}</td>
                <td data-label={words('state')}>
                  <DisputeState of={state} />
                </td>
                <td data-label={words('disputeReason')}>{reason}</td>
                <td data-label={words('transaction')}>
                  <TransactionLink id={transactionId} />
                </td>
                <td>
                  <Yuan of={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
