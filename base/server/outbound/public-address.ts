import { BlockList, isIPv4, isIPv6 } from 'node:net'

// What is no machine of the public network, by IANA's registries of special addresses.
const inside = new BlockList()
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
  add(inside, network, 'ipv4')
// Within what is given out; the last three hold addresses of the old kind, and examples.
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) add(inside, network, 'ipv6')

// All else of the new kind is special: loopback, links, old addresses in new clothes.
const givenOut = new BlockList()
add(givenOut, '2000::/3', 'ipv6')

/** Whether an address is one of the public network, and none inside of this machine or its neighbourhood. */
export function isPublic(ip: string): boolean {
  if (isIPv4(ip)) return !inside.check(ip, 'ipv4')
  return isIPv6(ip) && !ip.includes('%') && givenOut.check(ip, 'ipv6') && !inside.check(ip, 'ipv6')
}

// Names that no name server outside knows: those kept for networks of one's own, and what people call machines there.
const insideNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/

/** Whether a host of an address is a name that a machine of the public network may have: of several parts, and under none that is kept for inside. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return /^[^.:]+(?:\.[^.:]+)*\.(?!\d|0x)[^.:]+$/.test(name) && !insideNames.test(name)
}

// Below a country, these are nobody's own.
const shared = /^(?:com?|net?|org?|gov?|edu|ac)\.[a-z]{2}$/

/** The part of a host's name that one owner has, near enough to count by: `example.com`, `example.co.uk`. A number is its own. */
export function siteOf(host: string): string {
  if (!isPublicName(host)) return host
  const parts = host.toLowerCase().replace(/\.$/, '').split('.')
  const last = parts.slice(-2).join('.')
  return shared.test(last) ? parts.slice(-3).join('.') : last
}

function add(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}
