import type { PriceView, Unit } from '#membership/contract.ts'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { amountText } from '#wallet/web/wallet.tsx'

export function Price({ of }: { of: PriceView }) {
  const words = useWords('membershipAdmin')
  const language = useLanguage()
  return <span>{priceText(of, words, language)}</span>
}

export function priceText({ cash, points }: PriceView, words: Translate, language: string): string {
  const parts = [cash !== null && amountText(cash, 'cny', language), points !== null && words('priceOfPoints', { count: Number(points) })]
  return parts.filter(Boolean).join(' + ') || words('priceFree')
}

export function timeText(duration: number, unit: Unit, words: Translate): string {
  return words('timeOf', { count: duration, unit })
}
