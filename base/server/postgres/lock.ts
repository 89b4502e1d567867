import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#base/server/cannot-start.ts'

const sqliteBusy = 5

/**
 * Makes this process the only one that serves the folder, until release. It is a SQLite lock because the kernel drops that one whenever its
 * holder dies: no stale lock can remain.
 */
export function lockFolder(folder: string): { release(): void } {
  const pidFile = join(folder, 'server.pid')
  try {
    // Others may traverse it, because PostgreSQL may run as another user, but not list it.
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    const lock = takeLock(join(folder, 'server.lock'))
    rmSync(pidFile, { force: true })
    writeFileSync(pidFile, `${process.pid}\n`)
    return {
      release() {
        rmSync(pidFile, { force: true })
        lock.close()
      },
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = isBusy(error)
      ? `Another Teahouse${holderOf(pidFile)} is running on ${folder}`
      : `The folder ${folder} cannot be used: ${error.message}`
    throw new CannotStart(`${why}. ${isBusy(error) ? 'Stop it first' : 'Start as its owner'}, or set TEAHOUSE_DATA to another folder.`)
  }
}

function takeLock(file: string): DatabaseSync {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = off; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    throw error
  }
  return lock
}

function holderOf(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    // It is just starting or stopping; the sentence is true without the number.
    return ''
  }
}

function isBusy(error: Error): boolean {
  return 'errcode' in error && error.errcode === sqliteBusy
}
