import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Log } from '#base/server/log.ts'

export const socketName = '.s.PGSQL.5432'

type PidFile = { pid: number; socketFolder: string; isReady: boolean }

/** The pid file of a running PostgreSQL, or of one that died. */
export function readPidFile(cluster: string): PidFile | null {
  const lines = textOf(pidFileOf(cluster))?.split('\n') ?? []
  const pid = Number(lines[0])
  return pid > 0 ? { pid, socketFolder: lines[4] ?? '', isReady: /^(ready|standby)\b/.test(lines[7] ?? '') } : null
}

/** True if the process is the PostgreSQL of this data, not another that got the same pid later. */
export function isPostgresOf(pid: number, cluster: string): boolean {
  return commandOf(pid).includes(cluster)
}

/** Removes the socket of a dead PostgreSQL from a folder that is for this socket alone. */
export function clearSocket(folder: string): void {
  for (const name of [socketName, `${socketName}.lock`]) rmSync(join(folder, name), { force: true })
}

/**
 * Ends a PostgreSQL that outlived its server: it may be about to stop anyway, and would not notice when we die. Called by the only server
 * of the data, so it has no users.
 */
export async function endLeftover(cluster: string, log: Pick<Log, 'warn'>): Promise<void> {
  const pid = readPidFile(cluster)?.pid
  if (!pid) return
  if (!isPostgresOf(pid, cluster)) return replacePid(cluster)

  log.warn('A PostgreSQL outlived its server. Stopping it first.')
  for (const [signal, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    process.kill(pid, signal)
    for (let waited = 0; waited < timeoutMs; waited += 20) {
      if (!isPostgresOf(pid, cluster)) return
      await setTimeout(20)
    }
  }
  throw new CannotStart(`PostgreSQL (process ${pid}) is still running on ${cluster} and does not stop. End it by hand.`)
}

/**
 * A process that reuses the pid of a dead PostgreSQL would keep the next one from starting. PostgreSQL takes the pid of its parent, us, for
 * stale; and because the file stays, it still checks that no child of the dead one holds the shared memory.
 */
function replacePid(cluster: string): void {
  const file = pidFileOf(cluster)
  const text = textOf(file)
  if (text !== null) writeFileSync(file, text.replace(/^\d+/, String(process.pid)))
}

function commandOf(pid: number): string[] {
  if (process.platform === 'linux') return textOf(`/proc/${pid}/cmdline`)?.split('\0') ?? []
  try {
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).split(/ -[Dc] /)
  } catch {
    return []
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
