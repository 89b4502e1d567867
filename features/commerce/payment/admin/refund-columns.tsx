import type { CellsOf } from '#base/admin/staff-list.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { PaymentLink, State, TransactionLink } from '#payment/admin/payment.tsx'
import type { refundList, RefundView } from '#payment/staff-contract.ts'

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

export function useRefundCells(): CellsOf<typeof refundList> {
  const words = useWords('paymentAdmin')
  return {
    paymentNumber: { show: ({ paymentNumber }) => (paymentNumber ? <PaymentLink number={paymentNumber} /> : words('neverCredited')) },
    state: {
      show: (row) => <RefundState of={row} />,
      text: ({ state, problem }) => [words(`refund${state}`), problem].filter(Boolean).join(' '),
    },
    reason: { text: (row) => refundReason(row, words) },
    transactionId: { show: ({ transactionId }) => <TransactionLink id={transactionId} /> },
  }
}
