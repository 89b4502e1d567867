import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Output } from '#base/contract.ts'
import { internalPath } from '#base/return-path.ts'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { topUp, type paymentForm } from '#payment/contract.ts'
import { useContinue } from '#payment/web/retry.tsx'
import { PaymentOptions, optionKey } from '#payment/web/payment-options.tsx'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

type Offer = Output<typeof paymentForm>
type Way = Offer['ways'][number]

/** The amount and the method. The address may contain the shortfall of a purchase, and the page to return to. */
export function TopUpForm({ offer, first }: { offer: Offer; first: Way }) {
  const words = useWords('payment')
  const language = useLanguage()
  const [query] = useSearchParams()
  const [selected, choose] = useState(first)
  const goOn = useContinue()
  const missing = shortfallIn(query)
  const way = offer.ways.find((one) => optionKey(one) === optionKey(selected)) ?? first
  const returnTo = internalPath(query.get('returnTo'))

  return (
    <Form endpoint={topUp} extra={{ provider: way.provider, method: way.method, ...(returnTo && { returnTo }) }} onSuccess={goOn}>
      {missing && <p className="note">{words('short', { amount: amountText(missing, 'cny', language) })}</p>}
      <Amount offer={offer} missing={missing} />
      <PaymentOptions ways={offer.ways} chosen={way} choose={choose} />
      <Submit>{words('goOn')}</Submit>
    </Form>
  )
}

function Amount({ offer, missing }: { offer: Offer; missing: string | null }) {
  const words = useWords('payment')
  const language = useLanguage()
  const { clearError } = useForm()
  const { amounts, least, most, leftToday } = offer
  // The shortfall may be below the minimum.
  const [amount, setAmount] = useState(missing && Number(missing) < Number(least) ? least : (missing ?? ''))
  const short = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'CNY',
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
  const offered = amounts.filter((one) => Number(one) <= Number(leftToday))
  const [from, to, left] = [least, most, leftToday].map((yuan) => amountText(yuan, 'cny', language))
  return (
    <>
      {offered.length > 0 && (
        <div role="group" aria-label={words('suggested')} className={css.amounts}>
          {offered.map((one) => (
            <button
              key={one}
              type="button"
              className="button quiet"
              aria-pressed={Number(amount) === Number(one)}
              onClick={() => {
                clearError('amount')
                setAmount(one)
              }}
            >
              {short.format(Number(one))}
            </button>
          ))}
        </div>
      )}
      <Field
        name="amount"
        label={words('amount')}
        help={words('limits', { from: from ?? '', to: to ?? '', left: left ?? '' })}
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        required
      />
    </>
  )
}

/** The amount in yuan from the linking page. */
function shortfallIn(query: URLSearchParams): string | null {
  const amount = query.get('amount') ?? ''
  return /^(?=.*[1-9])\d{1,10}(\.\d{1,2})?$/.test(amount) ? amount : null
}
