import type { Config } from '#base/server/config.ts'

type Site = Pick<Config, 'publicUrl' | 'host' | 'port' | 'trustProxy'>

let address = 'http://localhost:3000'
let isPublic = false

/** Where the site is, for links that leave it: as the operator has set it, or else as this machine is reached. */
export function takeSiteAddress({ publicUrl, host, port, trustProxy }: Site): void {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  address = publicUrl ?? `http://${named.includes(':') ? `[${named}]` : named}:${port}`
  isPublic = !isLocal(host) || !isLocal(new URL(address).hostname) || trustProxy.length > 0
}

/** The whole address of a path. Nothing that a request says has a part in it. */
export function wholeAddress(path: string): string {
  return new URL(path, address).href
}

/** Whether other machines reach the site, as far as the operator has set it: by its address, by where it listens, or through a proxy. */
export function isReachedFromNetwork(): boolean {
  return isPublic
}

/** Whether a call came by a name of this machine. A proxy that nobody set passes on the name by which others reach the site. */
export function isCalledLocally({ origin }: { origin: string }): boolean {
  return origin === '' || (URL.canParse(origin) && isLocal(new URL(origin).hostname))
}

function isLocal(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?|\[?::ffff:127(\.\d+){3}\]?)$/i.test(host)
}
