import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const busy = 5
const patienceMs = 5_000

/**
 * Marks the packages as in use for as long as this process lives. The lock is SQLite's, because the kernel drops it when its holder dies; any number
 * may share it, and reading is enough for that.
 */
export function holdPackages(root) {
  const file = fileIn(root)
  try {
    if (!existsSync(file)) make(root)
    const held = new DatabaseSync(file, { readOnly: true, timeout: patienceMs })
    held.exec('begin; select count(*) from sqlite_schema')
    return held
  } catch (error) {
    // A program runs all the same, only less safely: it may be somebody's who may not write here, or on a disk without locks.
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
