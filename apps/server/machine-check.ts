import { existsSync, statfsSync } from 'node:fs'
import type pg from 'pg'
import type { Config } from '#base/server/config.ts'
import { connectionsPerProcess } from '#base/server/database/connection-count.ts'
import { folderOf } from '#base/server/postgres/home.ts'
import { formatSize } from '#base/size.ts'

export type Machine = Pick<Config, 'dataDir' | 'processes'> & { isEmbedded: boolean }

// Four segments of its log of changes: with less, the embedded PostgreSQL soon ends.
const minFreeBytes = 64 * 2 ** 20
const [fewFreeBytes, smallFreeShare] = [2 ** 30, 0.05]

/** Reasons not to start on this machine. */
export function fullDisks(machine: Machine): string[] {
  if (!machine.isEmbedded) return []
  const full = disksOf(machine).filter(({ free }) => free < minFreeBytes)
  return full.map(({ folder, free }) => `The disk of ${folder} has ${formatSize(free)} left, and the database would end. Make room first.`)
}

/** What may do harm later, each with its cure. */
export async function warningsOf(owner: pg.Client, machine: Machine): Promise<string[]> {
  return [...(await ofConnections(owner, machine)), ...(await ofLetters(owner)), ...ofDisks(machine)]
}

async function ofConnections(owner: pg.Client, { isEmbedded, processes }: Machine): Promise<string[]> {
  if (isEmbedded) return []
  const { rows } = await owner.query<{ max: number }>(`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as max`)
  const count = processes ?? 1
  const needed = count * connectionsPerProcess(processes)
  const max = rows[0]?.max ?? needed
  if (max >= needed) return []
  return [
    `PostgreSQL has ${max} connections for this database, and this server alone may need ${needed}: ${connectionsPerProcess(processes)} for each of ` +
      `${count} processes. Above that, members wait. Raise max_connections, or lower TEAHOUSE_PROCESSES.`,
  ]
}

async function ofLetters(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ knows: boolean }>(`select lower('ÄЖ') = 'äж' as knows`)
  if (rows[0]?.knows) return []
  return [
    'The locale of this database knows capital letters of ASCII only, so staff’s searches find Ä but not ä. ' +
      "Databases made with: locale 'C.UTF-8' know all.",
  ]
}

function ofDisks(machine: Machine): string[] {
  const few = disksOf(machine).filter(({ free, total }) => free < fewFreeBytes || free < smallFreeShare * total)
  return few.map(({ folder, free }) => `The disk of ${folder} has ${formatSize(free)} left. Make room before it is full.`)
}

/** The disks of the data folder and of the embedded database, which may lie elsewhere. */
function disksOf({ dataDir, isEmbedded }: Machine): { folder: string; free: number; total: number }[] {
  const folders = isEmbedded ? [dataDir, folderOf(dataDir)] : [dataDir]
  const disks = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const { type, blocks, bavail, bsize } = statfsSync(folder)
      return { folder, disk: `${type} ${blocks} ${bavail}`, free: bavail * bsize, total: blocks * bsize }
    })
  return disks.filter(({ disk }, place) => disks.findIndex((other) => other.disk === disk) === place)
}
