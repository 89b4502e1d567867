import { timeWithZone } from '#base/web/time.tsx'
import { useWords, useLanguage } from '#base/web/words.tsx'
import { useMember } from '#account/web/account.tsx'
import { addDecimals } from '#base/decimal.ts'
import type { PaymentView } from '#payment/contract.ts'
import { providerWords } from '#payment/web/word-keys.ts'
import { useSite } from '#setting/web/setting.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

const refundWords = { asked: 'refundAsked', done: 'refundDone', failed: 'refundFailed' } as const
const disputeWords = { open: 'disputeOpen', won: 'disputeWon', lost: 'disputeLost' } as const

export function Receipt({ payment }: { payment: PaymentView }) {
  const words = useWords('payment')
  const language = useLanguage()
  const { title } = useSite()
  const payer = useMember()
  const { number, amount, provider, providerNumber, paidAt, refunds, disputes } = payment
  const rest = restOf(payment)
  const money = (yuan: string) => amountText(yuan, 'cny', language)
  const time = (at: string) => timeWithZone(at, language)
  const lines = [
    ['receiptFor', title],
    ['receiptPayer', payer && (payer.nickname === null ? payer.account : `${payer.nickname} (${payer.account})`)],
    ['receiptAmount', money(amount)],
    ['receiptTime', paidAt && time(paidAt)],
    ['receiptNumber', number],
    ['receiptProvider', words(providerWords[provider])],
    ['receiptProviderNumber', providerNumber],
    ...refunds.map((one) => [refundWords[one.state], `${money(one.amount)} · ${time(one.endedAt ?? one.askedAt)}`] as const),
    ...disputes.map((one) => [disputeWords[one.state], `${money(one.amount)} · ${time(one.endedAt ?? one.openedAt)}`] as const),
    ...(rest === amount ? [] : [['receiptRest', money(rest)] as const]),
  ] as const
  return (
    <section className={css.receipt} aria-labelledby="receipt">
      <h2 id="receipt">{words('receipt')}</h2>
      <dl>
        {lines.map(([word, says], place) => (
          // Two refunds may have the same text.
          <div key={`${word} ${place}`}>
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

/** What stays of a payment after refunds and disputes, failed and won ones aside. */
function restOf({ amount, refunds, disputes }: PaymentView): string {
  const gone = [...refunds.filter(({ state }) => state !== 'failed'), ...disputes.filter(({ state }) => state !== 'won')]
  const rest = gone.reduce((sum, one) => addDecimals(sum, `-${one.amount}`), amount)
  return rest.startsWith('-') ? '0.00' : rest
}
