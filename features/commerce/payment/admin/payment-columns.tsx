import { Yuan } from '#base/admin/staff-list.tsx'
import type { CellsOf } from '#base/admin/staff-list.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { PaymentLink, State } from '#payment/admin/payment.tsx'
import type { paymentList, StaffPaymentView } from '#payment/staff-contract.ts'
import { methodWords } from '#payment/web/word-keys.ts'

type StateFields = Pick<StaffPaymentView, 'state' | 'amount' | 'refunded'>

const tones = { open: 'wait', paid: 'good', closed: undefined, refunded: undefined, disputed: 'bad' } as const

export function PaymentState({ of }: { of: StateFields }) {
  const words = useWords('paymentAdmin')
  return <State word={stateText(of, words)} tone={tones[of.state]} />
}

/** Distinguishes full from partial refunds. */
function stateText({ state, amount, refunded }: StateFields, words: Translate): string {
  return words(state === 'refunded' && Number(refunded) < Number(amount) ? 'statePartly' : `state${state}`)
}

export function usePaymentCells(): CellsOf<typeof paymentList> {
  const words = useWords('paymentAdmin')
  const ofMembers = useWords('payment')
  return {
    number: { show: ({ number }) => <PaymentLink number={number} /> },
    provider: { text: (row) => optionText(row, words, ofMembers) },
    refunded: { show: ({ refunded }) => Number(refunded) > 0 && <Yuan of={refunded} /> },
    state: { show: (row) => <PaymentState of={row} />, text: (row) => stateText(row, words) },
  }
}

export function optionText(
  { provider, method }: Pick<StaffPaymentView, 'provider' | 'method'>,
  words: Translate,
  ofMembers: Translate,
): string {
  return `${words(`provider${provider}`)} · ${ofMembers(methodWords[method])}`
}
