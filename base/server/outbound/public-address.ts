import { BlockList, isIPv4, isIPv6 } from 'node:net'

// Networks that are not public, by IANA's registries of special addresses.
const specialNetworks = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  add(specialNetworks, network, 'ipv4')
// Special networks within 2000::/3; the last three embed IPv4 addresses, or are for examples.
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) add(specialNetworks, network, 'ipv6')

// All other IPv6 is special: loopback, link-local, mapped IPv4.
const globalUnicast = new BlockList()
add(globalUnicast, '2000::/3', 'ipv6')

/** Whether an address is public, not one of this machine or its private networks. */
export function isPublic(ip: string): boolean {
  if (isIPv4(ip)) return !specialNetworks.check(ip, 'ipv4')
  return isIPv6(ip) && !ip.includes('%') && globalUnicast.check(ip, 'ipv6') && !specialNetworks.check(ip, 'ipv6')
}

// Names without public DNS: those reserved for private networks, and those commonly used there.
const privateNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/

/** Whether a host name can be public: it has several parts, and no private suffix. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return /^[^.:]+(?:\.[^.:]+)*\.(?!\d|0x)[^.:]+$/.test(name) && !privateNames.test(name)
}

// Below a country code, these belong to nobody.
const sharedSuffix = /^(?:com?|net?|org?|gov?|edu|ac)\.[a-z]{2}$/

/** The registrable part of a host name, near enough to count by: `example.com`, `example.co.uk`. An IP address is returned unchanged. */
export function registrableName(host: string): string {
  if (!isPublicName(host)) return host
  const parts = host.toLowerCase().replace(/\.$/, '').split('.')
  const last = parts.slice(-2).join('.')
  return sharedSuffix.test(last) ? parts.slice(-3).join('.') : last
}

function add(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}
