import { amountOut, minorOf } from '#wallet/contract.ts'

/** Cents as the screens show them. */
export function yuan(cents: string | bigint): string {
  return amountOut('cny', minorOf(cents))
}
