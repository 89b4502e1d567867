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

async function ofConnections(owner: pg.Client, machine: Machine): Promise<string[]> {
  const short = await connectionShortage(owner, machine)
  if (!short) return []
  const { max, needed, each, count } = short
  return [
    `PostgreSQL has ${max} connections for this database, and this server alone may need ${needed}: ${each} for each of ` +
      `${count} processes. Above that, members wait. Raise max_connections, or lower TEAHOUSE_PROCESSES.`,
  ]
}

type Shortage = { max: number; needed: number; each: number; count: number }

/** The connections that PostgreSQL has, if this server may need more. */
export async function connectionShortage(owner: pg.Client, { isEmbedded, processes }: Machine): Promise<Shortage | null> {
  if (isEmbedded) return null
  const { rows } = await owner.query<{ max: number }>(`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as max`)
  const [count, each] = [processes ?? 1, connectionsPerProcess(processes)]
  const needed = count * each
  const max = rows[0]?.max ?? needed
  return max >= needed ? null : { max, needed, each, count }
}

async function ofLetters(owner: pg.Client): Promise<string[]> {
  if (await knowsLetters(owner)) return []
  return [
    'The locale of this database knows capital letters of ASCII only, so staff’s searches find Ä but not ä. ' +
      "Databases made with: locale 'C.UTF-8' know all.",
  ]
}

export async function knowsLetters(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ knows: boolean }>(`select lower('ÄЖ') = 'äж' as knows`)
  return rows[0]?.knows ?? false
}

function ofDisks(machine: Machine): string[] {
  return shortDisks(machine).map(({ folder, free }) => `The disk of ${folder} has ${formatSize(free)} left. Make room before it is full.`)
}

/** Disks that will be full soon. */
export function shortDisks(machine: Machine): { folder: string; free: number }[] {
  return disksOf(machine).filter(({ free, total }) => free < fewFreeBytes || free < smallFreeShare * total)
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
