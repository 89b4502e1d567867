import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import { sql, type RawBuilder } from 'kysely'

/** An address as the database takes it: of the old kind as it is, however it arrived, and without the name of a wire. */
export function plainIp(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [address = ''] = ip.split('%')
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=[\d.]+$)/, '')
}

/**
 * The addresses of an `X-Forwarded-For`, plainly. Each proxy adds to its end whom it heard, so what stands before something that is no
 * address was said by nobody one could trust.
 */
function forwardedFor(header: string): string {
  const addresses = header.split(',').map(addressIn)
  return addresses.slice(addresses.lastIndexOf(null) + 1).join(', ')
}

/** Leaves of what a proxy says only what can be read. */
export function readForwarded(headers: IncomingHttpHeaders): void {
  const { 'x-forwarded-for': from, 'x-forwarded-proto': by } = headers
  if (from !== undefined) headers['x-forwarded-for'] = forwardedFor(String(from))
  if (by !== undefined && !/(^|,)\s*https?\s*$/.test(String(by))) delete headers['x-forwarded-proto']
}

// Some proxies add the port.
function addressIn(text: string): string | null {
  const [, old, bracketed, bare] = /^(?:([\d.]+)(?::\d{1,5})?|\[([\da-f:.]+)\](?::\d{1,5})?|([\da-f:.]+))$/i.exec(text.trim()) ?? []
  const ip = old ?? bracketed ?? bare ?? ''
  return (old === undefined ? isIPv6(ip) : isIPv4(ip)) ? plainIp(ip) : null
}

/** The condition that an address lies in a network, as `10.0.0.0/8`, or is this one; in a form that an index answers. */
export function inNetwork(column: string, network: string): RawBuilder<boolean> {
  const given = sql`${network}::inet`
  const last = sql`set_masklen(broadcast(${given}), case family(${given}) when 6 then 128 else 32 end)`
  return sql`(${sql.ref(column)} >= network(${given})::inet and ${sql.ref(column)} <= ${last})`
}

/** What belongs to whoever has this address: of the new kind, all that begin as it does. */
export function networkAround(ip: string): string {
  const plain = plainIp(ip)
  return plain.includes(':') ? `${plain}/64` : plain
}
