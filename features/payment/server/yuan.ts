import { amountOut, minorOf } from '#wallet/contract.ts'

/** Cents in the format of the API. */
export function yuan(cents: string | bigint): string {
  return amountOut('cny', minorOf(cents))
}
