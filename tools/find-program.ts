import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

/** A program that tests start: its file, Debian's package, and the tests that need it, by their path. */
type DebianProgram = { title: string; file: string; debian: string; tests: RegExp }

const programs = {
  redis: { title: 'Redis', file: 'redis-server', debian: 'redis-server', tests: /redis|replica/ },
  mariadb: { title: 'MariaDB', file: 'mariadb-install-db', debian: 'mariadb-server', tests: /mariadb/ },
  openssl: { title: 'OpenSSL', file: 'openssl', debian: 'openssl', tests: /^deploy\/(nginx|haproxy|apache|varnish)\// },
  nginx: { title: 'nginx', file: 'nginx', debian: 'nginx', tests: /^deploy\/(nginx|varnish)\// },
  caddy: { title: 'Caddy', file: 'caddy', debian: 'caddy', tests: /^deploy\/caddy\/|behind-caddy/ },
  haproxy: { title: 'HAProxy', file: 'haproxy', debian: 'haproxy', tests: /^deploy\/(haproxy|patroni)\/|behind-haproxy|rolling-restart/ },
  apache: { title: 'Apache', file: 'apache2', debian: 'apache2', tests: /^deploy\/apache\// },
  pgbouncer: { title: 'PgBouncer', file: 'pgbouncer', debian: 'pgbouncer', tests: /^deploy\/pgbouncer\// },
  prometheus: { title: 'Prometheus', file: 'prometheus', debian: 'prometheus', tests: /^deploy\/prometheus\// },
  promtool: { title: 'promtool', file: 'promtool', debian: 'prometheus', tests: /^deploy\/prometheus\// },
  varnish: { title: 'Varnish', file: 'varnishd', debian: 'varnish', tests: /^deploy\/varnish\// },
} as const satisfies Record<string, DebianProgram>

export type ProgramName = keyof typeof programs

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin']

/** A program on this machine, or null. */
export function knownProgram(name: ProgramName): string | null {
  return folders.map((folder) => join(folder, programs[name].file)).find((path) => existsSync(path)) ?? null
}

/** A program for tests, installed if there is none. */
export async function findProgram(name: ProgramName): Promise<string> {
  const { title, debian } = programs[name]
  const found = knownProgram(name) ?? ((await installFromDebian(title, [debian])) ? knownProgram(name) : null)
  if (found) return found
  throw new Halt(`The tests need ${title}. Install ${debian}.`)
}

/** The programs that these test files need. */
export function programsFor(paths: readonly string[]): ProgramName[] {
  const names = Object.keys(programs) as ProgramName[]
  return names.filter((name) => paths.some((path) => programs[name].tests.test(path)))
}
