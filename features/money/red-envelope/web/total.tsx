import { useLanguage, useWords } from '#base/web/words.tsx'
import type { EnvelopeKind } from '#red-envelope/contract.ts'
import css from '#red-envelope/web/envelope-fields.module.css'
import { useAmount } from '#red-envelope/web/amount.ts'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'
import type { Currency } from '#wallet/contract.ts'

type TotalProps = {
  kind: EnvelopeKind
  currency: Currency
  /** As typed. */
  amount: string
  quantity: string
  limits: NonNullable<EnvelopeOptions['points']>
}

/** The total, beside the funds and the limits. */
export function Total({ kind, currency, amount, quantity, limits: { least, most, have } }: TotalProps) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  const language = useLanguage()
  const total = totalOf({ kind, currency, amount, quantity })
  const isTooMuch = total !== null && Number(total) > Number(have)
  const isOutside = total !== null && (Number(total) < Number(least) || Number(total) > Number(most))
  const sentences = [
    total !== null && words('inAllNow', { amount: amountOf(total, currency) }),
    words('limits', { least: amountOf(least, currency), most: amountOf(most, currency), have: amountOf(have, currency) }),
    isTooMuch && words('tooMuch'),
  ]
  return (
    <p className={`${css.total} ${isTooMuch || isOutside ? 'wrong' : 'help'}`} aria-live="polite">
      {sentences.filter(Boolean).join(language === 'zh' ? '' : ' ')}
    </p>
  )
}

/** Calculated in points or cents, so that three shares of ¥0.10 are exactly ¥0.30. Null while the typed text is no amount. */
export function totalOf({ kind, currency, amount, quantity }: Omit<TotalProps, 'limits'>): string | null {
  const pattern = currency === 'points' ? /^\d{1,12}$/ : /^\d{1,10}(\.\d{1,2})?$/
  const [typed, times] = [amount.trim(), kind === 'fixed' ? quantity.trim() : '1']
  if (!pattern.test(typed) || !/^[1-9]\d{0,5}$/.test(times)) return null
  if (currency === 'points') return String(Number(typed) * Number(times))
  const cents = Math.round(Number(typed) * 100) * Number(times)
  return (cents / 100).toFixed(2)
}
