import { describe, expect, test } from 'vitest'
import { fetchUntrusted, fetchConfigured, RequestFailed, postUntrusted, type Network } from '#base/server/outbound/safe-fetch.ts'
import { aBadSite, misbehaviours, type Misbehaviour } from '#base/testing/bad-site.ts'

// The timeout of the whole request, with every redirect.
const patienceMs = 150
const worldAt = (port: number): Network => ({
  addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
  mayConnect: (ip, targetPort) => ip === '127.0.0.1' && targetPort === port,
})

const ways: Record<string, (port: number, scheme: string) => Promise<unknown>> = {
  askAnybody: (port, scheme) =>
    fetchUntrusted(new URL(`${scheme}://site.test:${port}/`), { type: 'text/html', timeoutMs: patienceMs, network: worldAt(port) }),
  postAnybody: (port, scheme) =>
    postUntrusted(new URL(`${scheme}://site.test:${port}/`), {
      headers: {},
      body: Buffer.from('tea'),
      timeoutMs: patienceMs,
      network: worldAt(port),
    }),
  askNamed: (port, scheme) => fetchConfigured(new URL(`${scheme}://127.0.0.1:${port}/`), { timeoutMs: patienceMs }),
  'askNamed, with a body': (port, scheme) =>
    fetchConfigured(new URL(`${scheme}://127.0.0.1:${port}/`), { method: 'POST', body: 'tea', timeoutMs: patienceMs }),
}
const each = Object.keys(misbehaviours) as Misbehaviour[]

describe.each(Object.entries(ways))('%s comes to an end, and leaves no connection open', (_, ask) => {
  test.each(each)('where a site %s', async (misbehaviour) => {
    const site = await aBadSite(misbehaviour)
    try {
      const answer = await ask(site.port, 'http').catch((error: unknown) => error)
      expect(answer instanceof Error).toBe(answer instanceof RequestFailed)
      expect(site.requests).toBeGreaterThan(0)
      // A complete answer leaves its connection open for the next call.
      if (answer instanceof Error) await site.left()
    } finally {
      site.close()
    }
  })

  test.each(['says nothing', 'drips its first line', 'speaks another protocol without end', 'hangs up'] as const)(
    'where a site is asked to encrypt, and %s',
    async (misbehaviour) => {
      const site = await aBadSite(misbehaviour)
      try {
        await expect(ask(site.port, 'https')).rejects.toThrow(RequestFailed)
        await site.left()
      } finally {
        site.close()
      }
    },
  )
})
