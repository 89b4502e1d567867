import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aStore, type S3Store } from '../../../tools/s3-store.ts'
import { machine, readDeployed, type Machine, type Site } from './machine.ts'
import { askMachine, machineWithRole, switchOver } from './patroni-api.ts'
import { untilReady } from './service.ts'

/** Three machines on this one, started from the files that operators copy. */
export type Cluster = {
  machines: Machines
  /** The owner's address of the primary, whichever it is. */
  ownerUrl: string
  key: string
  /** The addresses for visitors. */
  balancers: readonly string[]
  publicUrl: string
  primary(): Promise<Machine>
  standby(): Promise<Machine>
  switchover(): Promise<void>
  /** Resolves once each part answers, and the standby is synchronous again. */
  untilWhole(): Promise<void>
  stop(): Promise<void>
}

type Machines = readonly [Machine, Machine, Machine]

const publicUrl = 'http://tea.example.org'

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-cluster-'))
  const user = process.getuid?.() === 0 ? userNamed('postgres') : null
  if (user) chownSync(folder, user.uid, user.gid)
  const [store, key] = [await aStore(), randomBytes(32).toString('hex')]
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`
  const site: Site = { folder, network, user, values: valuesOf(store, key) }
  const machines = [machine(1, site), machine(2, site), machine(3, site)] as const
  const [first, second] = machines
  const primary = () => untilReady('A primary', () => machineWithRole(machines, 'leader'))
  const standby = () => untilReady('A synchronous standby', () => machineWithRole(machines, 'sync_standby'))

  async function stop(): Promise<void> {
    for (const one of machines) one.thaw()
    await Promise.all(machines.map((one) => one.kill()))
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    await startAll(machines, site)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    machines,
    ownerUrl: `postgresql://teahouse:CHANGE-teahouse@${network}.23:5000/teahouse`,
    key,
    balancers: [first, second].map(balancerOf),
    publicUrl,
    primary,
    standby,
    switchover: async () => switchOver(await primary(), await standby()),
    async untilWhole() {
      await untilReady('The cluster', () => isWhole(machines))
    },
    stop,
  }
}

/** In the order of the page for operators: PostgreSQL, its database, one forum that creates the tables, the others. */
async function startAll(machines: Machines, site: Site): Promise<void> {
  const [first, ...others] = machines
  for (const { services } of machines) for (const name of ['etcd', 'patroni', 'redis', 'haproxy'] as const) services[name]?.start()
  await untilReady('A primary with a standby', () => hasBoth(machines))
  createDatabase(await machineWithRole(machines, 'leader'), site)
  first.services.forum?.start()
  await untilReady('The first forum', () => isHealthy(first))
  for (const { services } of others) services.forum?.start()
  for (const { services } of machines) services.balancer?.start()
  await untilReady('The cluster', () => isWhole(machines))
}

/** Throws what is missing. */
async function isWhole(machines: Machines): Promise<boolean> {
  const addresses = [
    ...machines.map(({ address }) => `http://${address}:3000/health`),
    ...machines.slice(0, 2).map((one) => `${balancerOf(one)}/index`),
  ]
  const answers = addresses.map((url) =>
    askMachine(url).then(
      ({ ok, text }) => (ok ? [] : [`${url}: ${text.slice(0, 200)}`]),
      (error) => [`${url}: ${error}`],
    ),
  )
  const missing = (await Promise.all(answers)).flat()
  if (missing.length > 0) throw new Error(missing.join('\n'))
  return hasBoth(machines)
}

async function hasBoth(machines: Machines): Promise<boolean> {
  await machineWithRole(machines, 'leader')
  await machineWithRole(machines, 'sync_standby')
  return true
}

async function isHealthy({ address }: Machine): Promise<boolean> {
  return (await askMachine(`http://${address}:3000/health`)).ok
}

function balancerOf({ address }: Machine): string {
  return `http://${address}:8080`
}

function valuesOf({ store }: S3Store, key: string): Record<string, string> {
  return {
    'CHANGE-key': key,
    'https://tea.example.org': publicUrl,
    'https://s3.example.org': store.url,
    'CHANGE-s3-key': store.keyId,
    'CHANGE-s3-secret': store.secret,
  }
}

/** Runs database.sql as the superuser, whom only the machine's own socket lets in. */
function createDatabase({ socketFolder }: Machine, site: Site): void {
  const words = ['-h', socketFolder, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-q']
  execFileSync('psql', words, { ...site.user, input: readDeployed('database.sql', site, {}), stdio: ['pipe', 'inherit', 'inherit'] })
}

function userNamed(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
