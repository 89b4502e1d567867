import { randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { fingerprintOf, parseKey, setSealingKey } from '#base/server/security/sealing.ts'

type KeyOptions = { config: Pick<Config, 'sealingKey' | 'dataDir'>; db: Db; log: Pick<Log, 'info'> }

const fingerprintName = 'sealingKey'

/** Loads the forum's key, created at the first start, and refuses a key other than the one the database was sealed with. */
export async function loadSealingKey({ config, db, log }: KeyOptions): Promise<void> {
  const path = keyFileOf(config.dataDir)
  const stored = await storedFingerprint(db)
  const found = config.sealingKey ?? readKey(path)
  if (!found && stored)
    throw new CannotStart(`What is sealed in this database was sealed with a key that is not here. ${recoveryHint(path)}`)
  const key = found ?? createKey(path)
  if (!found) log.info({ path }, 'A key to seal with was made: keep a copy of this file, apart from the backups')
  if (!stored) await storeFingerprint(db, key)
  const noted = stored ?? (await storedFingerprint(db))
  if (!noted || !timingSafeEqual(noted, fingerprintOf(key)))
    throw new CannotStart(
      `${config.sealingKey ? 'TEAHOUSE_KEY' : path} is not the key that this database was sealed with. ${recoveryHint(path)}`,
    )
  setSealingKey(key)
}

/** Replaces the key by the one that is here now; everything sealed with the old key must be deleted first. */
export async function replaceSealingKey({ config, db, log }: KeyOptions): Promise<void> {
  await db.deleteFrom('secret').where('name', '=', fingerprintName).execute()
  await loadSealingKey({ config, db, log })
}

export type FoundKey = {
  key: Buffer | null
  /** `unproved` without a database. */ state: 'fits' | 'other' | 'missing' | 'unreadable' | 'unproved'
}

/** The key that is here, and whether it is the database's. Makes none and changes nothing. */
export async function findSealingKey({ config, db }: { config: KeyOptions['config']; db: Db | null }): Promise<FoundKey> {
  let key: Buffer | null
  try {
    key = config.sealingKey ?? readKey(keyFileOf(config.dataDir))
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    return { key: null, state: 'unreadable' }
  }
  if (!key) return { key, state: 'missing' }
  const stored = db && (await storedFingerprint(db))
  if (!stored) return { key, state: 'unproved' }
  return { key, state: timingSafeEqual(stored, fingerprintOf(key)) ? 'fits' : 'other' }
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'key')
}

function recoveryHint(path: string): string {
  return `Put the file back at ${path}, or set TEAHOUSE_KEY to what it says. If it is lost for good, "npm run teahouse -- key forget --yes" begins with another: staff then set up their second factor anew, and passwords and keys among the settings are typed anew.`
}

function readKey(path: string): Buffer | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new CannotStart(`${path} cannot be read: it belongs to whoever started the forum first. Start as that user.`, { cause: error })
  }
  const key = parseKey(text)
  if (!key) throw new CannotStart(`${path} holds no key of 32 bytes. Put back the file as it was.`)
  return key
}

// Of two concurrent starts one creates the file, and it is never visible half-written.
function createKey(path: string): Buffer {
  const unfinished = `${path}.unfinished-${process.pid}`
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(unfinished, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(unfinished, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(unfinished)
  }
  const key = readKey(path)
  if (!key) throw new CannotStart(`${path} was taken away while the forum started. Start it again.`)
  return key
}

async function storedFingerprint(db: Db): Promise<Buffer | null> {
  const row = await db.selectFrom('secret').select('value').where('name', '=', fingerprintName).executeTakeFirst()
  return row?.value ?? null
}

async function storeFingerprint(db: Db, key: Buffer): Promise<void> {
  await db
    .insertInto('secret')
    .values({ name: fingerprintName, value: fingerprintOf(key) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
