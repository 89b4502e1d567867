import { isDevelopment } from '#base/server/development.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { Settings } from '#setting/contract.ts'

export type CodeChannel = 'email' | 'sms'

/** Whether messages of this channel can arrive: a provider is set, or an outbox that the recipients can read. */
export function canSend(settings: Settings, channel: CodeChannel): boolean {
  const chosen = channel === 'email' ? settings.emailProvider : settings.smsProvider
  return chosen === 'outbox' ? mayUseOutbox() : chosen !== 'none'
}

/** Whether recipients can read an outbox: on the forum's own machine, or in a trial. */
export function mayUseOutbox(): boolean {
  return isDevelopment() || !isReachedFromNetwork()
}

/** The registration methods available now: allowed by staff and, where they need a code, by a channel that can send. */
export function registrationMethods(settings: Settings): Settings['allowRegisterAccountType'] {
  return settings.allowRegisterAccountType.filter((way) => way === 'account' || canSend(settings, way === 'phone' ? 'sms' : 'email'))
}
