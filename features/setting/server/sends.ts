import { isDevelopment } from '#base/server/development.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { Settings } from '#setting/contract.ts'

export type Sent = 'email' | 'sms'

/** Whether what is sent this way can arrive: a provider is chosen, or an outbox where those who wait for it can read it. */
export function sends(settings: Settings, channel: Sent): boolean {
  const chosen = channel === 'email' ? settings.emailProvider : settings.smsProvider
  return chosen === 'outbox' ? mayKeep() : chosen !== 'none'
}

/** Whether those who wait for what an outbox keeps sit at this machine, or try things out. */
export function mayKeep(): boolean {
  return isDevelopment() || !isReachedFromNetwork()
}

/** By what one can register now: what staff allow, and where that takes a code, what one can be sent to. */
export function waysToRegister(settings: Settings): Settings['allowRegisterAccountType'] {
  return settings.allowRegisterAccountType.filter((way) => way === 'account' || sends(settings, way === 'phone' ? 'sms' : 'email'))
}
