import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CannotStart } from '#base/server/cannot-start.ts'
import { startAs } from '#base/server/postgres/account.ts'
import { clusterOf, passwordFileOf, type Home } from '#base/server/postgres/home.ts'

export const superuser = 'postgres'
const major = '18'

/**
 * Creates the files of a new database, once. They are made beside and then renamed, so that half a database is never taken for a whole one.
 */
export async function createCluster(home: Home, { forTests }: { forTests: boolean }): Promise<void> {
  const cluster = clusterOf(home.folder)
  if (existsSync(cluster)) return refuseOtherVersion(cluster)

  const unfinished = `${cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  writePassword(home)
  await runInitdb(home, unfinished, forTests)
  renameSync(unfinished, cluster)
  if (!forTests) syncFolder(home.folder)
}

/** Command-line settings override every file, so nobody can switch off what keeps data safe. */
export function commandLineSettings(socket: string, { forTests }: { forTests: boolean }): string[] {
  const all = {
    ...common,
    ...(forTests ? fastForTests : { ...durable, ...memoryFor(availableMemory()) }),
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const common = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  cluster_name: 'teahouse',
  shared_buffers: '128MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  // Our queries are short: JIT and parallel workers cost more than they gain.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  // Members' texts must stay out of the log, so it has no statements, no details and no errors of single queries.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
}

// A busy process takes some 40, of several each some 20, and the operator's tool another 40.
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_connections: '240' }

// The memory limit of the container, or the memory of the machine.
function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

/** Memory settings for a machine with so many bytes, of which the forum itself needs some hundred megabytes. */
export function memoryFor(bytes: number): Record<string, string> {
  const megabytes = (share: number, [least, most]: [number, number]) =>
    `${Math.round(Math.min(most, Math.max(least, bytes / 2 ** 20 / share)))}MB`
  return {
    shared_buffers: megabytes(8, [128, 2048]),
    effective_cache_size: megabytes(2, [512, 65_536]),
    maintenance_work_mem: megabytes(64, [64, 512]),
  }
}

const fastForTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '400',
  // Proof of a password takes both sides milliseconds otherwise, and a test file opens some ten connections.
  scram_iterations: '1',
}

function refuseOtherVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version === major) return
  throw new CannotStart(
    `The data in ${cluster} is of PostgreSQL ${version}, and this Teahouse has ${major}. Restore a backup into an empty folder.`,
  )
}

function writePassword({ folder, account }: Home): void {
  const file = passwordFileOf(folder)
  writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  if (account.user) chownSync(file, account.user.uid, account.user.gid)
}

async function runInitdb(home: Home, target: string, forTests: boolean): Promise<void> {
  const command = [
    join(home.native, 'bin/initdb'),
    `--pgdata=${target}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFileOf(home.folder)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    // macOS has no C.UTF-8; C agrees with every encoding.
    `--lc-ctype=${process.platform === 'darwin' ? 'C' : 'C.UTF-8'}`,
    '--data-checksums',
    '--no-instructions',
    ...(forTests ? ['--no-sync', '--set=scram_iterations=1'] : []),
  ]
  const child = startAs(home.account, command, home.folder)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new CannotStart(`The database could not be made in ${home.folder}:\n${output}${errors}`)
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
