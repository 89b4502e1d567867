import { amountOut, minorOf } from '#wallet/contract.ts'

export function yuan(cents: string | bigint): string {
  return amountOut('cny', minorOf(cents))
}
