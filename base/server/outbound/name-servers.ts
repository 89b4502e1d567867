import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

type Options = { /** Defaults to the system's name servers. */ servers?: readonly string[] }

/**
 * The addresses of a name, from name servers alone. The system's own lookup would occupy one of the process's few threads for as long as a
 * name server is silent; this one is cancelled by the signal.
 */
export async function resolveAddresses(host: string, signal: AbortSignal, { servers }: Options = {}): Promise<LookupAddress[]> {
  const resolver = new Resolver()
  if (servers) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const [old, current] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (old.status === 'rejected' && current.status === 'rejected') throw old.reason
  return [...addressesIn(old, 4), ...addressesIn(current, 6)]
}

/** The texts of a name; none if it has none or is unknown. */
export async function resolveTexts(name: string, signal: AbortSignal, { servers }: Options = {}): Promise<string[]> {
  const resolver = new Resolver()
  if (servers) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENODATA', 'ENOTFOUND'].includes(String(error.code))) return []
    throw error
  }
}

function addressesIn(found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }))
}
