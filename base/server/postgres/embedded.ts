import { readFileSync, existsSync, rmSync } from 'node:fs'
import type { CannotStart } from '#base/server/cannot-start.ts'
import { createCluster, superuser } from '#base/server/postgres/cluster.ts'
import { clusterOf, findHome, folderOf, passwordFileOf, socketFolder } from '#base/server/postgres/home.ts'
import { lockFolder } from '#base/server/postgres/lock.ts'
import { isPostgresOf, readPidFile } from '#base/server/postgres/pid-file.ts'
import { Postmaster, type DatabaseLog } from '#base/server/postgres/postmaster.ts'

export type EmbeddedDatabase = {
  /** Connects as the superuser, who creates roles and databases. For migrations only. */
  ownerUrl: string
  /** Resolves when the database has ended for good, with instructions for the operator. */
  lost: Promise<CannotStart>
  stop(): Promise<void>
}

/**
 * Starts the bundled PostgreSQL, with its data under `dataDir`, on a socket that only this user can reach. Only one process can serve a
 * `dataDir`; a second one is refused. `forTests` trades safety for speed.
 */
export async function startEmbedded(dataDir: string, log: DatabaseLog, { forTests = false } = {}): Promise<EmbeddedDatabase> {
  const lock = lockFolder(dataDir)
  try {
    const home = findHome(dataDir)
    const socket = socketFolder(home)
    await createCluster(home, { forTests })
    const postmaster = new Postmaster(home, log, { socket, forTests })
    await postmaster.start()
    return {
      ownerUrl: ownerUrl(home.folder, socket),
      lost: postmaster.lost,
      async stop() {
        await postmaster.stop()
        if (socket !== home.folder) rmSync(socket, { recursive: true, force: true })
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The database of a server now running on this data, for the operator's tool; null if none is. */
export function runningEmbedded(dataDir: string): Pick<EmbeddedDatabase, 'ownerUrl'> | null {
  if (!existsSync(dataDir)) return null
  const folder = folderOf(dataDir)
  const file = readPidFile(clusterOf(folder))
  if (!file?.isReady || !isPostgresOf(file.pid, clusterOf(folder))) return null
  return { ownerUrl: ownerUrl(folder, file.socketFolder) }
}

function ownerUrl(folder: string, socket: string): string {
  const password = readFileSync(passwordFileOf(folder), 'utf8').trim()
  return `postgresql://${superuser}:${password}@localhost/postgres?host=${encodeURIComponent(socket)}`
}
