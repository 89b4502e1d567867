import { paymentSettings } from './payment-settings.ts'
import { pointSettings } from './point-settings.ts'
import { redEnvelopeSettings } from './red-envelope-settings.ts'

/** Points and balance: how they are earned, topped up and spent. */
export const moneySettings = { ...pointSettings, ...redEnvelopeSettings, ...paymentSettings } as const
