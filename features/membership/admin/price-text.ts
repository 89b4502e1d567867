import type { PriceView, Unit } from '#membership/contract.ts'
import type { Say } from '#base/web/words.tsx'
import { amountText } from '#wallet/web/wallet.tsx'

/** A price in yuan, in points, or in both; empty where it is neither. */
export function priceText({ cash, points }: PriceView, words: Say, language: string): string {
  const parts = [cash !== null && amountText(cash, 'cny', language), points !== null && words('somePoints', { count: Number(points) })]
  return parts.filter((part) => part !== false).join(' + ')
}

const durations = { hour: 'hours', day: 'days', month: 'months', year: 'years' } as const satisfies Record<Unit, string>

export function durationText({ duration, unit }: { duration: number; unit: Unit }, words: Say): string {
  return words(durations[unit], { count: duration })
}
