import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PriceView, SpecificationView } from '#membership/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

/** `¥12.00 + 200 points`, in the reader's language; "free" without either. Funds are joined with "and", prices with "plus". */
export function usePrice(): (price: PriceView, between?: 'plus' | 'and') => string {
  const words = useWords('membership')
  const language = useLanguage()
  return ({ cash, points }, between = 'plus') => {
    const parts = [cash !== null && amountText(cash, 'cny', language), points !== null && words('points', { count: Number(points) })]
    const texts = parts.flatMap((one) => (one === false ? [] : one.replaceAll(' ', '\u00a0')))
    return texts.join(words(between)) || words('free')
  }
}

/** The lowest prices of a card: the least money, and the fewest points that buy it without money. */
export function cheapest(specifications: readonly SpecificationView[]): PriceView[] {
  const left = specifications.filter((one) => one.left !== 0)
  const prices = (left.length > 0 ? left : specifications).map(({ price }) => price)
  const least = (some: readonly PriceView[], of: (price: PriceView) => number) => [...some].sort((a, b) => of(a) - of(b)).slice(0, 1)
  return [
    ...least(
      prices.filter(({ cash }) => cash !== null),
      ({ cash }) => Number(cash),
    ),
    ...least(
      prices.filter(({ cash }) => cash === null),
      ({ points }) => Number(points),
    ),
  ]
}
