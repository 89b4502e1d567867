import type { Translate } from '#base/web/words.tsx'

/** What is offered by amounts as they were typed, in words. Empty without any. */
export function typedOffer(words: Translate, { points, cash }: { points: string; cash: string }): string {
  const whole = points.normalize('NFKC')
  const inPoints = /^\d+$/.test(whole) ? words('points', { points: Number(whole) }) : words('inPoints', { amount: points })
  return [points && inPoints, cash && words('inCash', { amount: cash })].filter(Boolean).join(words('and'))
}
