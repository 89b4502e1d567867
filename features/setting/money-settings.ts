import { paymentSettings } from './payment-settings.ts'
import { pointSettings } from './point-settings.ts'
import { redEnvelopeSettings } from './red-envelope-settings.ts'

/** What concerns points and balance, and how they come in and are given away. */
export const moneySettings = { ...pointSettings, ...redEnvelopeSettings, ...paymentSettings } as const
