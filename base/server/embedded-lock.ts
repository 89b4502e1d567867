import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#base/server/cannot-start.ts'

const busy = 5

/**
 * Makes this process the only one that serves the folder, until it releases it.
 * The lock is SQLite's because that is one the kernel drops when its holder dies, however it dies: there is no stale lock to judge.
 */
export function lockFolder(folder: string): { release(): void } {
  const pidFile = join(folder, 'server.pid')
  const lock = openLock(folder)
  try {
    lock.exec('pragma journal_mode = off; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (errcodeOf(error) !== busy) throw error
    throw new CannotStart(
      `Another Teahouse${holder(pidFile)} is running on ${folder}. Stop it first, or set TEAHOUSE_DATA to another folder.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    release() {
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function openLock(folder: string): DatabaseSync {
  try {
    // Others may pass through, for PostgreSQL may have to run as another user, but not look around.
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    return new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new CannotStart(`The folder ${folder} cannot be used: ${error.message}. Start as its owner, or set TEAHOUSE_DATA to another folder.`)
  }
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return ''
  }
}

function errcodeOf(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined
}
