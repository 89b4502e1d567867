import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { TooManyHashes } from '#base/contract.ts'
import { normalizeSecret } from '#base/secret-input.ts'
import { argon2Cost } from '#base/server/security/argon2-cost.ts'
import { isImported } from '#base/server/security/imported/stored-hash.ts'
import { fitsImportedInWorker } from '#base/server/security/imported/workers.ts'

const slots = 2
const maxQueue = 64

let running = 0
const queue: (() => void)[] = []

/** Argon2id, two at a time and off the main thread; refuses when the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return inSlot(() => hash(normalizeSecret(password), argon2Cost))
}

/** Takes as long for an account that does not exist, whose `hashed` is null. Also compares with the hash of another program. */
export async function isPassword(hashed: string | null, password: string): Promise<boolean> {
  return (await comparePassword(hashed, password)).isRight
}

/** The same, with the time that the comparison took once it had its turn: other programs' hashes take another than ours. */
export async function comparePassword(hashed: string | null, password: string): Promise<{ isRight: boolean; tookMs: number }> {
  dummyHash ??= hashPassword('a password that nobody has')
  const against = hashed ?? (await dummyHash)
  return inSlot(async () => {
    const began = performance.now()
    // The other program's forms are of the text as typed.
    const fits = isImported(against) ? await fitsImportedInWorker(against, password) : await verify(against, normalizeSecret(password))
    return { isRight: fits && hashed !== null, tookMs: performance.now() - began }
  })
}

let dummyHash: Promise<string> | null = null

/**
 * Our hash of a password that fits an imported one, to replace it; null where the hash is ours. Its salt is derived from the imported hash,
 * so that two logins at once replace it by the same, and neither finds that the password changed.
 */
export async function renewedHash(hashed: string, password: string): Promise<string | null> {
  if (!isImported(hashed)) return null
  const salt = createHash('sha256').update(`renewed ${hashed}`).digest().subarray(0, 16)
  return inSlot(() => hash(normalizeSecret(password), { ...argon2Cost, salt }))
}

async function inSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= slots) await waitForSlot()
  running++
  try {
    return await work()
  } finally {
    running--
    queue.shift()?.()
  }
}

function waitForSlot(): Promise<void> {
  if (queue.length >= maxQueue) throw TooManyHashes()
  return new Promise((next) => void queue.push(next))
}
