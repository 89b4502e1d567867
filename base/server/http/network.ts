import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { sql, type RawBuilder } from 'kysely'

/** An address in the database's form: an IPv4-mapped address as IPv4, and without a zone. */
export function normalizeIp(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [address = ''] = ip.split('%')
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=[\d.]+$)/, '')
}

/**
 * The addresses of an `X-Forwarded-For`. Each proxy appends its peer, so everything before an invalid entry comes from an untrusted client
 * and is dropped.
 */
function forwardedFor(header: string): string {
  const addresses = header.split(',').map(parseAddress)
  return addresses.slice(addresses.lastIndexOf(null) + 1).join(', ')
}

/** Removes unreadable values from the headers of a proxy. */
export function sanitizeForwarded(headers: IncomingHttpHeaders): void {
  const { 'x-forwarded-for': from, 'x-forwarded-proto': by } = headers
  if (from !== undefined) headers['x-forwarded-for'] = forwardedFor(String(from))
  if (by !== undefined && !/(^|,)\s*https?\s*$/.test(String(by))) delete headers['x-forwarded-proto']
}

// Some proxies add the port.
function parseAddress(text: string): string | null {
  const [, old, bracketed, bare] = /^(?:([\d.]+)(?::\d{1,5})?|\[([\da-f:.]+)\](?::\d{1,5})?|([\da-f:.]+))$/i.exec(text.trim()) ?? []
  const ip = old ?? bracketed ?? bare ?? ''
  return (old === undefined ? isIPv6(ip) : isIPv4(ip)) ? normalizeIp(ip) : null
}

/** Whether an address is one of these, or in one of these networks. */
export function networkMatcher(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (ip) => list.check(ip, familyOf(ip))
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv6(ip) ? 'ipv6' : 'ipv4'
}

/** The condition that an address is in a network such as `10.0.0.0/8`, or equals an address, in a form that uses an index. */
export function inNetwork(column: string, network: string): RawBuilder<boolean> {
  const range = sql`${network}::inet`
  const last = sql`set_masklen(broadcast(${range}), case family(${range}) when 6 then 128 else 32 end)`
  return sql`(${sql.ref(column)} >= network(${range})::inet and ${sql.ref(column)} <= ${last})`
}

/** The network of one customer: the /64 of an IPv6 address, or the IPv4 address itself. */
export function customerNetwork(ip: string): string {
  const plain = normalizeIp(ip)
  return plain.includes(':') ? `${plain}/64` : plain
}
