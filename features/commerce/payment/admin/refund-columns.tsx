import type { Column } from '#base/admin/list.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { At, PaymentLink, Person, State, TransactionLink, useFileTime, Yuan } from '#payment/admin/payment.tsx'
import type { RefundView } from '#payment/staff-views.ts'

const tones = { asked: 'wait', done: 'good', failed: 'bad' } as const

export function RefundState({ of: { state, problem } }: { of: Pick<RefundView, 'state' | 'problem'> }) {
  const words = useWords('paymentAdmin')
  return (
    <>
      <State word={words(`refund${state}`)} tone={tones[state]} />
      {problem && <div className="meta">{problem}</div>}
    </>
  )
}

/** The reason, or that it was made at the provider, which gives none. */
export function refundReason({ reason, isFromProvider }: Pick<RefundView, 'reason' | 'isFromProvider'>, words: Translate): string {
  return [isFromProvider && words('madeThere'), reason].filter(Boolean).join(' · ')
}

export function useRefundColumns(): Column<RefundView>[] {
  const words = useWords('paymentAdmin')
  const time = useFileTime()
  return [
    { name: 'number', label: words('refundNumber'), text: ({ number }) => number },
    {
      name: 'payment',
      label: words('payment'),
      show: ({ paymentNumber }) => (paymentNumber ? <PaymentLink number={paymentNumber} /> : words('neverCredited')),
      text: ({ paymentNumber }) => paymentNumber,
    },
    { name: 'asked', label: words('askedAt'), show: ({ askedAt }) => <At at={askedAt} />, text: ({ askedAt }) => time(askedAt) },
    { name: 'member', label: words('member'), show: ({ member }) => <Person of={member} />, text: ({ member }) => member?.name },
    { name: 'provider', label: words('provider'), text: ({ provider }) => words(`provider${provider}`) },
    { name: 'amount', label: words('amount'), show: ({ amount }) => <Yuan of={amount} />, text: ({ amount }) => amount },
    {
      name: 'state',
      label: words('state'),
      show: (row) => <RefundState of={row} />,
      text: ({ state, problem }) => [words(`refund${state}`), problem].filter(Boolean).join(' '),
    },
    { name: 'reason', label: words('reason'), text: (row) => refundReason(row, words) },
    {
      name: 'ended',
      label: words('endedAt'),
      show: ({ endedAt }) => endedAt && <At at={endedAt} />,
      text: ({ endedAt }) => time(endedAt),
      isExtra: true,
    },
    { name: 'providerNumber', label: words('providerNumber'), text: ({ providerNumber }) => providerNumber, isExtra: true },
    {
      name: 'transaction',
      label: words('transaction'),
      show: ({ transactionId }) => <TransactionLink id={transactionId} />,
      text: ({ transactionId }) => transactionId,
      isExtra: true,
    },
  ]
}
