import type { Column } from '#base/admin/list.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { At, PaymentLink, Person, State, useFileTime, Yuan } from '#payment/admin/payment.tsx'
import type { StaffPaymentView } from '#payment/staff-contract.ts'
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

export function usePaymentColumns(): Column<StaffPaymentView>[] {
  const words = useWords('paymentAdmin')
  const ofMembers = useWords('payment')
  const time = useFileTime()
  return [
    {
      name: 'number',
      label: words('number'),
      show: ({ number }) => <PaymentLink number={number} />,
      text: ({ number }) => number,
    },
    {
      name: 'at',
      label: words('begun'),
      show: ({ createdAt }) => <At at={createdAt} />,
      text: ({ createdAt }) => time(createdAt),
    },
    { name: 'member', label: words('member'), show: ({ member }) => <Person of={member} />, text: ({ member }) => member.name },
    { name: 'provider', label: words('provider'), text: (row) => optionText(row, words, ofMembers) },
    { name: 'amount', label: words('amount'), show: ({ amount }) => <Yuan of={amount} />, text: ({ amount }) => amount },
    {
      name: 'refunded',
      label: words('refunded'),
      show: ({ refunded }) => Number(refunded) > 0 && <Yuan of={refunded} />,
      text: ({ refunded }) => refunded,
    },
    {
      name: 'state',
      label: words('state'),
      show: (row) => <PaymentState of={row} />,
      text: (row) => stateText(row, words),
    },
    ...extrasIn(words, time),
  ]
}

function extrasIn(words: Translate, time: (at: string | null) => string): Column<StaffPaymentView>[] {
  return [
    {
      name: 'paid',
      label: words('paidAt'),
      show: ({ paidAt }) => paidAt && <At at={paidAt} />,
      text: ({ paidAt }) => time(paidAt),
      isExtra: true,
    },
    { name: 'providerNumber', label: words('providerNumber'), text: ({ providerNumber }) => providerNumber, isExtra: true },
  ]
}

export function optionText(
  { provider, method }: Pick<StaffPaymentView, 'provider' | 'method'>,
  words: Translate,
  ofMembers: Translate,
): string {
  return `${words(`provider${provider}`)} · ${ofMembers(methodWords[method])}`
}
