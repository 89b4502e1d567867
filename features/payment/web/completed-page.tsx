import { useLoaderData } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import type { PaymentView } from '#payment/contract.ts'
import { OnePayment } from '#payment/web/one-payment.tsx'

/** Where a provider sends the payer back to. Coming here credits nothing: it waits for the provider's word. */
export function Page() {
  const words = useWords('payment')
  const one = useLoaderData<{ payment: PaymentView; balance: string | null }>()
  return (
    <section className="column">
      <h1>{words('title')}</h1>
      <OnePayment {...one} hasReturned />
    </section>
  )
}
