import { existsSync } from 'node:fs'
import { Halt } from '../../../scripts/step.mjs'
import { installFromDebian } from '../../../tools/install-from-debian.ts'

// Where Debian's packages put them.
const packages = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/psql': 'postgresql-client',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/redis-server': 'redis-server',
}

/** Makes sure that the parts of the cluster are on this machine. */
export async function findParts(): Promise<void> {
  if (missing().length > 0) await installFromDebian('the parts of a cluster', missing())
  if (missing().length > 0) throw new Halt(`A cluster needs ${missing().join(', ')} of Debian 12. Install them.`)
}

function missing(): string[] {
  return Object.entries(packages).flatMap(([program, name]) => (existsSync(program) ? [] : [name]))
}
