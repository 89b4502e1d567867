import type { Config } from '#base/server/config.ts'

let address = 'http://localhost:3000'

/** Where the site is, for links that leave it: as the operator has set it, or else as this machine is reached. */
export function takeSiteAddress({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): void {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  address = publicUrl ?? `http://${named.includes(':') ? `[${named}]` : named}:${port}`
}

/** The whole address of a path. Nothing that a request says has a part in it. */
export function wholeAddress(path: string): string {
  return new URL(path, address).href
}
