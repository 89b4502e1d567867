import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded, type EmbeddedDatabase } from '#base/server/postgres/embedded.ts'
import { clusterOf, folderOf, passwordFileOf } from '#base/server/postgres/home.ts'
import { migrate } from '#database/migrate.ts'

export type ReplicatedDatabase = {
  ownerUrl: string
  replicaUrl: string
  /** Pauses the replay on the replica, which stays reachable. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Makes the replica the primary, which is stopped before and restarted as its replica. Both keep their addresses. */
  switchOver(): Promise<void>
  /** Stops the replica for good. */
  stopReplica(): Promise<void>
  /** Stops both for good. */
  stop(): Promise<void>
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A migrated, durable database with a streaming replica. */
export async function replicatedDatabase(within: string): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(within, 'replicated-'))
  const [first, second] = [join(folder, 'primary'), join(folder, 'replica')]
  for (const dataDir of [first, second]) await (await startEmbedded(dataDir, quiet)).stop()
  // The data directory of a stopped server can be copied.
  const [from, to] = [folderOf(first), folderOf(second)]
  rmSync(clusterOf(to), { recursive: true })
  cpSync(clusterOf(from), clusterOf(to), { recursive: true, preserveTimestamps: true })
  cpSync(passwordFileOf(from), passwordFileOf(to))
  // A replica that falls behind on a busy machine can still catch up.
  appendFileSync(join(clusterOf(from), 'postgresql.auto.conf'), "wal_keep_size = '2GB'\n")
  const primary: Server = { dataDir: first, running: await startEmbedded(first, quiet) }
  const { ownerUrl } = primary.running
  ownAs(clusterOf(to), statSync(clusterOf(from)))
  chmodSync(clusterOf(to), 0o700)
  follow(primary, second)
  const servers: [Server, Server] = [primary, { dataDir: second, running: await startEmbedded(second, quiet) }]
  const replicaUrl = servers[1].running.ownerUrl
  await migrate(ownerUrl)
  let isLost = false
  async function lose(): Promise<void> {
    if (!isLost) await servers[1].running.stop()
    isLost = true
  }
  let isStopped = false
  return {
    ownerUrl,
    replicaUrl,
    pause: () => ask(replicaUrl, 'select pg_wal_replay_pause()'),
    resume: () => ask(replicaUrl, 'select pg_wal_replay_resume()'),
    stopReplica: lose,
    async switchOver() {
      const [old, next] = servers
      // A primary that is stopped in order waits until its standby has everything.
      await old.running.stop()
      await ask(next.running.ownerUrl, 'select pg_promote()')
      follow(next, old.dataDir)
      old.running = await startEmbedded(old.dataDir, quiet)
      servers.reverse()
    },
    async stop() {
      await lose()
      if (!isStopped) await servers[0].running.stop()
      isStopped = true
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Server = { dataDir: string; running: EmbeddedDatabase }

/** Makes a stopped server the standby of another. */
function follow(primary: Server, dataDir: string): void {
  const { username, password, searchParams } = new URL(primary.running.ownerUrl)
  const whence = `host=${searchParams.get('host')} user=${username} password=${password} application_name=replica`
  const cluster = clusterOf(folderOf(dataDir))
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${whence}'\n`)
  const signal = join(cluster, 'standby.signal')
  writeFileSync(signal, '')
  const { uid, gid } = statSync(cluster)
  chownSync(signal, uid, gid)
}

/** PostgreSQL's user must own the files. */
function ownAs(path: string, { uid, gid }: { uid: number; gid: number }): void {
  chownSync(path, uid, gid)
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) lchownSync(join(path, name), uid, gid)
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
