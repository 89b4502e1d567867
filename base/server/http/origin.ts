import type { IncomingMessage } from 'node:http'
import { isLoopback } from '#base/server/http/rate-limit.ts'

const plainHost = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Whether a Host header is one host with an optional port, and nothing else. */
export function isPlainHost(host: string): boolean {
  return plainHost.test(host)
}

/** Whether a request names one host, or none as old clients do. Of two, a proxy may have read the other. */
export function namesOneHost(rawHeaders: readonly string[], host: string | undefined): boolean {
  if (host === undefined) return true
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts === 1 && isPlainHost(host)
}

/**
 * The site's own origin: the configured one, or the address at which the socket was reached. The Host header can be forged, so any other
 * name gives null.
 */
export function ownOrigin(
  publicUrl: string | null,
  { headers: { host }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
): string | null {
  if (publicUrl) return publicUrl
  const { localAddress, localPort } = socket
  if (!host || !localAddress) return null
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/, '')
  const names = [address.includes(':') ? `[${address}]` : address, ...(isLoopback(address) ? ['localhost'] : [])]
  const port = localPort === 80 ? '' : `:${localPort}`
  return names.some((name) => host === name + port) ? `http://${host}` : null
}
