import { useWords, useLanguage } from '#base/web/words.tsx'
import type { PaymentView } from '#payment/contract.ts'
import { providerWords } from '#payment/web/words-of.ts'
import { useSite } from '#setting/web/setting.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

/** What was paid, when, and under which numbers, to print or to show to the staff. */
export function Receipt({ payment }: { payment: PaymentView }) {
  const words = useWords('payment')
  const language = useLanguage()
  const { title } = useSite()
  const { number, amount, provider, providerNumber, paidAt } = payment
  const time = paidAt && new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long' }).format(new Date(paidAt))
  const lines = [
    ['receiptFor', title],
    ['receiptAmount', amountText(amount, 'cny', language)],
    ['receiptTime', time],
    ['receiptNumber', number],
    ['receiptProvider', words(providerWords[provider])],
    ['receiptProviderNumber', providerNumber],
  ] as const
  return (
    <section className={css.receipt} aria-labelledby="receipt">
      <h2 id="receipt">{words('receipt')}</h2>
      <dl>
        {lines.map(([word, says]) => (
          <div key={word}>
            <dt>{words(word)}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button quiet" onClick={() => print()}>
        {words('print')}
      </button>
    </section>
  )
}
