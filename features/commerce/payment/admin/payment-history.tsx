import type { ReactNode } from 'react'
import { Yuan } from '#base/admin/staff-list.tsx'
import { ExactTime } from '#base/admin/exact-time.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { DisputeState, disputeReason } from '#payment/admin/disputes-page.tsx'
import type { Payment } from '#payment/admin/views.ts'
import { refundReason, RefundState } from '#payment/admin/refund-columns.tsx'
import { TransactionLink } from '#payment/admin/payment.tsx'
import type { DisputeView, EventView, RefundView } from '#payment/staff-contract.ts'
import css from '#payment/admin/payment.module.css'

type Step = { at: string; said: ReactNode }

export function Timeline({ payment: { method, createdAt, paidAt, closedAt, events, refunds, disputes } }: { payment: Payment }) {
  const words = useWords('paymentAdmin')
  const steps: Step[] = [
    ...(method === 'byHand' ? [] : [{ at: createdAt, said: words('stepBegun') }]),
    ...(paidAt ? [{ at: paidAt, said: words(method === 'byHand' ? 'stepByHand' : 'stepPaid') }] : []),
    ...(closedAt ? [{ at: closedAt, said: words('stepClosed') }] : []),
    ...events.map((event) => ({ at: event.receivedAt, said: <EventStep event={event} /> })),
    ...refunds.flatMap(({ number, askedAt, endedAt, state, isFromProvider }) => [
      { at: askedAt, said: words(isFromProvider ? 'stepRefundThere' : 'stepRefund', { number }) },
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
              <ExactTime at={at} />
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
  const rows = refunds.map((refund) => ({ ...refund, reason: refundReason(refund, words), shownState: <RefundState of={refund} /> }))
  return <Records title={words('refunds')} labels={[words('refundNumber'), words('reason')]} rows={rows} />
}

export function PaymentDisputes({ disputes }: { disputes: readonly DisputeView[] }) {
  const words = useWords('paymentAdmin')
  const rows = disputes.map((dispute) => ({
    ...dispute,
    number: dispute.providerNumber,
    reason: disputeReason(dispute.reason, words),
    shownState: <DisputeState of={dispute.state} />,
  }))
  return <Records title={words('disputes')} labels={[words('disputeNumber'), words('disputeReason')]} rows={rows} />
}

type MoneyRecord = Pick<RefundView, 'number' | 'amount' | 'transactionId'> & { shownState: ReactNode; reason: string | null }
type RecordsProps = { title: string; labels: readonly [number: string, reason: string]; rows: readonly MoneyRecord[] }

function Records({ title, labels: [numberLabel, reasonLabel], rows }: RecordsProps) {
  const words = useWords('paymentAdmin')
  if (rows.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <div className={css.wide}>
        <table className="list">
          <thead>
            <tr>
              <th>{numberLabel}</th>
              <th>{words('state')}</th>
              <th>{reasonLabel}</th>
              <th>{words('transaction')}</th>
              <th>{words('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, amount, shownState, reason, transactionId }) => (
              <tr key={number}>
                <td>{number}</td>
                <td data-label={words('state')}>{shownState}</td>
                <td data-label={reasonLabel}>{reason}</td>
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
