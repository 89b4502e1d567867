import type { Config } from '#base/server/config.ts'

type SiteAddressConfig = Pick<Config, 'publicUrl' | 'host' | 'port' | 'trustProxy'>

let address = 'http://localhost:3000'
let isPublic = false

/** Sets the site's address for links in e-mails and the like: the configured one, or the address of this machine. */
export function setSiteAddress({ publicUrl, host, port, trustProxy }: SiteAddressConfig): void {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  address = publicUrl ?? `http://${named.includes(':') ? `[${named}]` : named}:${port}`
  isPublic = !isLoopbackName(host) || !isLoopbackName(new URL(address).hostname) || trustProxy.length > 0
}

/** The absolute URL of a path. Nothing from a request is part of it. */
export function absoluteUrl(path: string): string {
  return new URL(path, address).href
}

/** Whether the site has an address that is encrypted. */
export function hasEncryptedAddress(): boolean {
  return address.startsWith('https:')
}

/** Whether other machines can reach the site, by configuration: its public address, its listening address, or a proxy. */
export function isReachedFromNetwork(): boolean {
  return isPublic
}

/** Whether a host is a name or an address that leads every machine to itself. */
export function isLoopbackName(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?|\[?::ffff:127(\.\d+){3}\]?)$/i.test(host)
}
