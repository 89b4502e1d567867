import { hash, verify } from '@node-rs/argon2'
import { TooManyHashes } from '#base/contract.ts'
import { normalizeSecret } from '#base/secret-input.ts'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
const slots = 2
const maxQueue = 64

let running = 0
const queue: (() => void)[] = []

/** Argon2id, two at a time and off the main thread; refuses when the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return inSlot(() => hash(normalizeSecret(password), cost))
}

/** Takes as long for an account that does not exist, whose `hashed` is null. */
export async function isPassword(hashed: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('a password that nobody has')
  const against = hashed ?? (await dummyHash)
  const fits = await inSlot(() => verify(against, normalizeSecret(password)))
  return fits && hashed !== null
}

let dummyHash: Promise<string> | null = null

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
