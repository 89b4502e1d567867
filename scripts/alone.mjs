import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimes, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Halt } from './step.mjs'

const heartbeatMs = 2_000
const deadAfterMs = 30_000

/** Runs `action` under an exclusive lock file, after any process that holds it. */
export async function alone(lock, action) {
  await take(lock)
  // The file's time shows that the holder is alive, even from another container, where its pid means nothing.
  const heartbeat = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), heartbeatMs)
  try {
    return await action()
  } finally {
    clearInterval(heartbeat)
    rmSync(lock, { force: true })
  }
}

async function take(lock) {
  const mine = `${lock}.${process.pid}`
  try {
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(mine, String(process.pid))
  } catch (error) {
    throw new Halt(`Something must be installed or built first, but this user cannot write here: ${error.message}.`)
  }
  try {
    for (let hasNotified = false; !isTaken(mine, lock); await new Promise((resolve) => setTimeout(resolve, 200))) {
      if (setAside(lock, mine) || hasNotified) continue
      hasNotified = true
      console.log('Another start of Teahouse is preparing things. Waiting for it.')
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

// A hard link appears with its content at once, and only if there is none.
function isTaken(mine, lock) {
  try {
    utimesSync(mine, new Date(), new Date())
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a dead process. It is renamed first and compared, so that a new lock taken meanwhile is not removed. */
function setAside(lock, mine) {
  const dead = deadHolder(lock)
  if (dead === null) return false
  const aside = `${mine}.dead`
  try {
    renameSync(lock, aside)
    if (readFileSync(aside, 'utf8') !== dead) isTaken(aside, lock)
    rmSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}

function deadHolder(lock) {
  try {
    const holder = readFileSync(lock, 'utf8')
    const isSilent = Date.now() - statSync(lock).mtimeMs > deadAfterMs
    return isSilent || !isAlive(Number(holder)) ? holder : null
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
