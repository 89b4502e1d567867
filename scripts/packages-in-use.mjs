import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const busy = 5
const patienceMs = 5_000

/**
 * Marks the packages as in use as long as this process lives, by a shared SQLite lock, which the kernel drops when the holder dies; reading
 * is enough to take it.
 */
export function holdPackages(root) {
  const file = fileIn(root)
  try {
    if (!existsSync(file)) make(root)
    const database = new DatabaseSync(file, { readOnly: true, timeout: patienceMs })
    database.exec('begin; select count(*) from sqlite_schema')
    return database
  } catch (error) {
    // The program runs all the same, only less safely: the user may not write here, or the disk may have no locks.
    process.emitWarning(`Whoever installs other packages here will not know that this program runs: ${error.message}`)
    return null
  }
}

export function arePackagesInUse(root) {
  if (!existsSync(fileIn(root))) return false
  const asking = new DatabaseSync(fileIn(root), { timeout: 0 })
  try {
    asking.exec('begin exclusive; rollback')
    return false
  } catch (error) {
    if (error.errcode === busy) return true
    throw error
  } finally {
    asking.close()
  }
}

function make(root) {
  mkdirSync(join(root, 'tools/runtime'), { recursive: true })
  closeSync(openSync(fileIn(root), 'a'))
}

function fileIn(root) {
  return join(root, 'tools/runtime/packages-in-use')
}
