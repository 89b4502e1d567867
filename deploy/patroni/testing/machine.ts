import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { balancerConfig } from './balancer.ts'
import { postgresProcesses, postmasterOf, service, signalIfThere, type Service } from './service.ts'

export const serviceNames = ['etcd', 'patroni', 'redis', 'haproxy', 'forum', 'balancer'] as const
export type ServiceName = (typeof serviceNames)[number]

/** One of the three machines, at an address of its own, with its services. */
export type Machine = {
  name: string
  address: string
  /** Of its PostgreSQL. */
  socketFolder: string
  services: Partial<Record<ServiceName, Service>>
  /** All of them, as when it boots. */
  start(): void
  /** As when it loses power: connections break. */
  kill(): Promise<void>
  /** As when its network is gone: nothing answers, and nothing says so. */
  freeze(): void
  thaw(): void
  /** PostgreSQL alone, which Patroni has to notice. */
  killPostgres(): void
}

export type Site = {
  folder: string
  /** The first three bytes of the addresses, in place of 10.0.0. */
  network: string
  user: { uid: number; gid: number } | null
  /** Further replacements in the files. */
  values: Record<string, string>
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = new URL('..', import.meta.url)
const haproxyPath = '/usr/sbin/haproxy'

/** Reads a file that operators copy, and replaces nothing but addresses, names, folders and secrets. */
export function readDeployed(file: string, { network, values }: Site, own: Record<string, string>): string {
  const replacements = {
    ...own,
    ...values,
    // Connections between addresses of the loopback network come from 127.0.0.1.
    '10.0.0.0/24': '127.0.0.0/8',
    '10.0.0.': `${network}.`,
  }
  let text = readFileSync(new URL(file, files), 'utf8')
  for (const [marked, value] of Object.entries(replacements)) text = text.replaceAll(marked, value)
  return text
}

export function machine(number: 1 | 2 | 3, site: Site): Machine {
  const [name, address] = [`tea${number}`, `${site.network}.1${number}`]
  const folder = join(site.folder, name)
  const dataDir = join(folder, 'postgresql')
  for (const part of ['', 'socket', 'etcd', 'data']) makeFolder(join(folder, part), site)
  // What is local to a machine has an address of its own here too.
  const local = `${site.network}.2${number}`
  const own = {
    '@NAME@': name,
    '@ADDRESS@': address,
    '127.0.0.1': local,
    '/var/lib/etcd': join(folder, 'etcd'),
    '/var/lib/postgresql/15/teahouse': dataDir,
    '/var/lib/postgresql/.pgpass-patroni': join(folder, 'pgpass'),
    '/var/run/postgresql': join(folder, 'socket'),
    'log /dev/log local0': 'log stdout format raw local0',
  }
  const services = servicesOf(number, { site, folder, own })
  const all = Object.values(services)
  const postgres = (signal: NodeJS.Signals) => postgresProcesses(dataDir).forEach((pid) => signalIfThere(pid, signal))
  return {
    name,
    address,
    socketFolder: join(folder, 'socket'),
    services,
    start: () => all.forEach((one) => one.start()),
    async kill() {
      postgres('SIGKILL')
      await Promise.all(all.map((one) => one.kill()))
      // What Patroni started in the meantime.
      postgres('SIGKILL')
    },
    freeze() {
      postgres('SIGSTOP')
      for (const one of all) one.signal('SIGSTOP')
    },
    thaw() {
      postgres('SIGCONT')
      for (const one of all) one.signal('SIGCONT')
    },
    killPostgres() {
      const postmaster = postmasterOf(dataDir)
      if (postmaster === null) throw new Error(`No PostgreSQL runs on ${name}`)
      signalIfThere(postmaster, 'SIGKILL')
    },
  }
}

type Place = { site: Site; folder: string; own: Record<string, string> }

function servicesOf(number: number, { site, folder, own }: Place): Machine['services'] {
  function writeConfig(file: string, more: Record<string, string> = {}): string {
    const path = join(folder, file)
    writeFileSync(path, readDeployed(file, site, { ...more, ...own }), { mode: 0o600 })
    if (site.user) chownSync(path, site.user.uid, site.user.gid)
    return path
  }
  const variables = (file: string) => parseEnv(readDeployed(file, site, own))
  const part = (name: ServiceName, command: string[], env: NodeJS.Dict<string> = {}, user: Site['user'] = null) =>
    service({ name, command, env, user, folder })
  const balancer = join(folder, 'balancer.cfg')
  writeFileSync(balancer, balancerConfig(site.network, own['@ADDRESS@'] ?? ''))
  return {
    etcd: part('etcd', ['/usr/bin/etcd'], variables('etcd.env'), site.user),
    ...(number < 3 && {
      patroni: part('patroni', ['/usr/bin/patroni', writeConfig('patroni.yml')], variables('patroni.env'), site.user),
      redis: part('redis', ['/usr/bin/redis-server', writeConfig('redis.conf', number === 2 ? { '#replicaof': 'replicaof' } : {})]),
      balancer: part('balancer', [haproxyPath, '-W', '-f', balancer]),
    }),
    haproxy: part('haproxy', [haproxyPath, '-W', '-f', writeConfig('haproxy.cfg')]),
    forum: part('forum', [process.execPath, join(root, 'apps/server/main.ts')], {
      ...variables('forum.env'),
      TEAHOUSE_DATA: join(folder, 'data'),
      TEAHOUSE_PROCESSES: '1',
      TEAHOUSE_SAMPLE: '0',
      NODE_ENV: 'production',
    }),
  }
}

function makeFolder(path: string, { user }: Site): void {
  mkdirSync(path, { mode: 0o711 })
  if (user) chownSync(path, user.uid, user.gid)
}
