import { useLoaderData } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import type { PaymentView } from '#payment/contract.ts'
import { OnePayment } from '#payment/web/one-payment.tsx'

/** The page to which a provider redirects the payer. Opening it credits nothing: it waits for the provider's event. */
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
