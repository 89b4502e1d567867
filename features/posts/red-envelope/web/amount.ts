import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Currency } from '#wallet/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

/** `50 points`, or `¥5.00`, in the reader's language. */
export function useAmount(): (amount: string, currency: Currency) => string {
  const words = useWords('redEnvelope')
  const language = useLanguage()
  return (amount, currency) =>
    currency === 'points' ? words('points', { points: Number(amount) }) : amountText(amount, currency, language)
}
