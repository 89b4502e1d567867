import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Cluster } from '../deploy/patroni/testing/cluster.ts'
import type { ServiceName } from '../deploy/patroni/testing/machine.ts'

// Longer than a lease, so that others have taken over before it is back.
const absenceMs = 35_000

/** Each damages one thing, and mends what a service manager or a person would; the rest the cluster has to do by itself. */
export const damages = {
  'primary killed': async (cluster) => {
    const primary = await cluster.primary()
    primary.killPostgres()
    // Patroni names the old one until it looks.
    await setTimeout(5_000)
  },
  'forum killed': (cluster) => restart(cluster, 'forum', randomInt(3)),
  'machine killed': async (cluster) => {
    const machine = await cluster.primary()
    await machine.kill()
    await setTimeout(absenceMs)
    machine.start()
  },
  'standby killed': async (cluster) => {
    const standby = await cluster.standby()
    standby.killPostgres()
    await setTimeout(5_000)
  },
  'Redis killed': (cluster) => restart(cluster, 'redis', 0),
  'machine frozen': async (cluster) => freeze(await cluster.primary()),
  'balancer killed': (cluster) => restart(cluster, 'balancer', randomInt(2)),
  'HAProxy of a forum killed': (cluster) => restart(cluster, 'haproxy', randomInt(3)),
  'standby machine frozen': async (cluster) => freeze(await cluster.standby()),
} as const satisfies Record<string, (cluster: Cluster) => Promise<void>>

export type Kind = keyof typeof damages

async function restart({ machines }: Cluster, name: ServiceName, number: number): Promise<void> {
  const service = machines[number]?.services[name]
  await service?.kill()
  await setTimeout(randomInt(5_000, 10_000))
  service?.start()
}

async function freeze(machine: Awaited<ReturnType<Cluster['primary']>>): Promise<void> {
  machine.freeze()
  await setTimeout(absenceMs)
  machine.thaw()
}
