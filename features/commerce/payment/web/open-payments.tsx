import { Link } from '#base/web/link.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PaymentView } from '#payment/contract.ts'
import { Cancel, Countdown } from '#payment/web/still-open.tsx'
import { continuePath } from '#payment/web/paths.ts'
import { providerWords } from '#payment/web/word-keys.ts'
import { amountText } from '#wallet/web/wallet.tsx'
import css from '#payment/web/payment.module.css'

export function OpenPayments({ open }: { open: readonly PaymentView[] }) {
  const words = useWords('payment')
  const language = useLanguage()
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open">
      <h2 id="open">{words('unfinished')}</h2>
      <ul className={css.open}>
        {open.map((payment) => {
          const amount = amountText(payment.amount, 'cny', language)
          return (
            <li key={payment.number}>
              <div>
                <strong>{amount}</strong> · {words(providerWords[payment.provider])}
                <p className="meta">{payment.isOff ? words('wayOffShort') : <Countdown until={payment.expiresAt} />}</p>
              </div>
              <div className={css.actions}>
                {!payment.isOff && (
                  <Link to={continuePath(payment)} className="button quiet" aria-label={words('continueOf', { amount })}>
                    {words('continue')}
                  </Link>
                )}
                <Cancel payment={payment} label={words('cancelOf', { amount })} />
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
