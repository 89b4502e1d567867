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
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { clusterOf, folderOf, passwordFileOf } from '#base/server/postgres/home.ts'
import { migrate } from '#database/migrate.ts'

export type ReplicatedDatabase = {
  ownerUrl: string
  replicaUrl: string
  /** Pauses the replay on the replica, which stays reachable. */
  pause(): Promise<void>
  resume(): Promise<void>
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
  const primary = await startEmbedded(first, quiet)
  const { username, password, searchParams } = new URL(primary.ownerUrl)
  const whence = `host=${searchParams.get('host')} user=${username} password=${password} application_name=replica`
  appendFileSync(join(clusterOf(to), 'postgresql.auto.conf'), `primary_conninfo = '${whence}'\n`)
  writeFileSync(join(clusterOf(to), 'standby.signal'), '')
  ownAs(clusterOf(to), statSync(clusterOf(from)))
  chmodSync(clusterOf(to), 0o700)
  const replica = await startEmbedded(second, quiet)
  await migrate(primary.ownerUrl)
  let isLost = false
  async function lose(): Promise<void> {
    if (!isLost) await replica.stop()
    isLost = true
  }
  let isStopped = false
  return {
    ownerUrl: primary.ownerUrl,
    replicaUrl: replica.ownerUrl,
    pause: () => ask(replica.ownerUrl, 'select pg_wal_replay_pause()'),
    resume: () => ask(replica.ownerUrl, 'select pg_wal_replay_resume()'),
    stopReplica: lose,
    async stop() {
      await lose()
      if (!isStopped) await primary.stop()
      isStopped = true
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
