import { existsSync } from 'node:fs'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const debianPaths = { caddy: '/usr/bin/caddy', haproxy: '/usr/sbin/haproxy' } as const

export type ProxyName = keyof typeof debianPaths

/** A reverse proxy for tests, installed if there is none. */
export async function findProxy(name: ProxyName): Promise<string> {
  const known = [debianPaths[name], `/usr/local/bin/${name}`, `/opt/homebrew/bin/${name}`].find((place) => existsSync(place))
  if (known) return known
  if (await installFromDebian(name, [name])) return debianPaths[name]
  throw new Halt(`The tests need a proxy. Install ${name}.`)
}
