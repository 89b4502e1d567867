import { describe, expect, test } from 'vitest'
import { fetchUntrusted, fetchConfigured, RequestFailed, postUntrusted, type Network } from '#base/server/outbound/safe-fetch.ts'
import { aBadSite, misbehaviours, type Misbehaviour } from '#base/testing/bad-site.ts'
import { patienceMs } from '#base/testing/patience.ts'

const worldAt = (port: number): Network => ({
  addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
  mayConnect: (ip, targetPort) => ip === '127.0.0.1' && targetPort === port,
})

/** Makes a request with a timeout for the whole of it, with every redirect. */
type Ask = (port: number, scheme: string, timeoutMs: number) => Promise<unknown>

const ways: Record<string, Ask> = {
  askAnybody: (port, scheme, timeoutMs) =>
    fetchUntrusted(new URL(`${scheme}://site.test:${port}/`), { type: 'text/html', timeoutMs, network: worldAt(port) }),
  postAnybody: (port, scheme, timeoutMs) =>
    postUntrusted(new URL(`${scheme}://site.test:${port}/`), {
      headers: {},
      body: Buffer.from('tea'),
      timeoutMs,
      network: worldAt(port),
    }),
  askNamed: (port, scheme, timeoutMs) => fetchConfigured(new URL(`${scheme}://127.0.0.1:${port}/`), { timeoutMs }),
  'askNamed, with a body': (port, scheme, timeoutMs) =>
    fetchConfigured(new URL(`${scheme}://127.0.0.1:${port}/`), { method: 'POST', body: 'tea', timeoutMs }),
}

/** The outcome of a request that reached the site: on a busy machine a short timeout may pass before. */
async function outcomeOf(ask: Ask, site: { port: number; requests: number }, scheme: string): Promise<unknown> {
  let outcome: unknown
  for (let timeoutMs = 150; site.requests === 0 && timeoutMs < patienceMs(); timeoutMs *= 2)
    outcome = await ask(site.port, scheme, timeoutMs).catch((error: unknown) => error)
  return outcome
}

const each = Object.keys(misbehaviours) as Misbehaviour[]

describe.each(Object.entries(ways))('%s comes to an end, and leaves no connection open', (_, ask) => {
  test.each(each)('if a site %s', async (misbehaviour) => {
    const site = await aBadSite(misbehaviour)
    try {
      const answer = await outcomeOf(ask, site, 'http')
      expect(answer instanceof Error).toBe(answer instanceof RequestFailed)
      expect(site.requests).toBeGreaterThan(0)
      // A complete answer leaves its connection open for the next call.
      if (answer instanceof Error) await site.left()
    } finally {
      site.close()
    }
  })

  test.each(['says nothing', 'drips its first line', 'speaks another protocol without end', 'hangs up'] as const)(
    'if a site is asked to encrypt, and %s',
    async (misbehaviour) => {
      const site = await aBadSite(misbehaviour)
      try {
        expect(await outcomeOf(ask, site, 'https')).toBeInstanceOf(RequestFailed)
        await site.left()
      } finally {
        site.close()
      }
    },
  )
})
