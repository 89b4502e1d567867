import { normalizeNumber } from '#base/typed-number.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { EnvelopeKind } from '#red-envelope/contract.ts'
import css from '#red-envelope/web/envelope-fields.module.css'
import { useAmount } from '#red-envelope/web/amount.ts'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'
import { parseAmount, serializeAmount, type Currency } from '#wallet/contract.ts'

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

/** As the server will read it. Null while the typed text is no amount. */
export function totalOf({ kind, currency, amount, quantity }: Omit<TotalProps, 'limits'>): string | null {
  const [typed, times] = [parseAmount(currency, amount), kind === 'fixed' ? normalizeNumber(quantity) : '1']
  return typed === null || !/^[1-9]\d{0,5}$/.test(times) ? null : serializeAmount(currency, typed * BigInt(times))
}
