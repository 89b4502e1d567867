import { z } from 'zod'
import { isOurs } from '#payment/server/providers/provider.ts'
import { StripeRefusal, type Client } from '#payment/server/providers/stripe-client.ts'

/** The id of an object, which may be expanded. */
export const ObjectId = z.union([z.string(), z.object({ id: z.string() }).transform((its) => its.id)])

export const WithMetadata = z.object({ metadata: z.record(z.string(), z.string()).nullish() })

/** Our number in an object's metadata. */
export function orderNumberIn({ metadata }: z.infer<typeof WithMetadata>): string | null {
  const number = metadata?.['number']
  return isOurs(number) ? number : null
}

/** Our number of a payment, which refunds and disputes made at Stripe do not contain; null if there is none. */
export async function orderNumberOf({ request }: Client, intent: string | null): Promise<string | null> {
  if (intent === null) return null
  try {
    return orderNumberIn(await request((sdk) => sdk.paymentIntents.retrieve(intent), WithMetadata))
  } catch (error) {
    if (error instanceof StripeRefusal && error.code === 'resource_missing') return null
    throw error
  }
}
