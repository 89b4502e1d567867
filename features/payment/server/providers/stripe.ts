import type { Provider } from '#payment/server/providers/provider.ts'

export type StripeKeys = { key: string; webhookSecret: string }

export function stripe(_keys: StripeKeys, _desk?: URL): Provider {
  throw new Error('Stripe is not there yet')
}
