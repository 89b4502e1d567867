import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { Settings } from '#setting/contract.ts'

/** The enabled payment providers. The sandbox is never mixed with real money, and is offered on this machine only. */
export function payableBy({ paymentProviders, allowCash }: Settings): string[] {
  if (!allowCash) return []
  const isSandboxFit = paymentProviders.length === 1 && !isReachedFromNetwork()
  return paymentProviders.filter((name) => isSandboxFit || name !== 'sandbox')
}
