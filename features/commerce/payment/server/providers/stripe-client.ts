import type { Stripe } from 'stripe'
import type { z } from 'zod'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'

const patienceMs = 12_000

export class StripeRefusal extends Error {
  override name = 'Refused'
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** The Stripe client of one key. A response that does not match its schema counts as no answer. */
export type Client = {
  sdk(): Promise<Stripe>
  request<T>(work: (sdk: Stripe) => Promise<unknown>, answer: z.ZodType<T>, ms?: number): Promise<T>
}

export function client(key: string, baseUrl?: URL): Client {
  let sdkPromise: Promise<Stripe> | undefined
  const sdk = () => (sdkPromise ??= createSdk(key, baseUrl))
  return {
    sdk,
    async request(work, answer, ms = patienceMs) {
      try {
        const stripe = await sdk()
        return answer.parse(await withDeadline(ms, () => work(stripe)))
      } catch (error) {
        if (isRefusal(error)) throw new StripeRefusal(error.message, error.code)
        throw new RequestFailed('Stripe gives no answer', { cause: error })
      }
    },
  }
}

export async function listAll(pages: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const one of pages) all.push(one)
  return all
}

// Loaded lazily, because the library is large. It does not retry; the jobs do, with the same idempotency key.
async function createSdk(key: string, baseUrl?: URL): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const customHost = baseUrl && { host: baseUrl.hostname, port: baseUrl.port, protocol: 'http' as const }
  return new Stripe(key, { timeout: 10_000, maxNetworkRetries: 0, telemetry: false, ...customHost })
}

function isRefusal(error: unknown): error is Error & { code?: string } {
  return error instanceof Error && 'type' in error && error.type === 'StripeInvalidRequestError'
}
