import { serializeAmount, toMinor } from '#wallet/contract.ts'

export function yuan(cents: string | bigint): string {
  return serializeAmount('cny', toMinor(cents))
}
