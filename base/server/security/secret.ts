import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#base/server/database/database.ts'
import { perProgram } from '#base/server/program.ts'

const secretsOf = perProgram(() => new Map<string, Promise<Buffer>>())

/**
 * A 256-bit key of the forum's own, made the first time it is asked for and the same on every machine.
 * The program asks for each at its start, outside of any transaction that could take it back.
 */
export function secretOf(db: Db, name: string): Promise<Buffer> {
  const known = secretsOf(db)
  const secret = known.get(name) ?? load(db, name)
  known.set(name, secret)
  return secret
}

/** What stands there now, in few letters: the same for the same. */
export function versionOf(state: unknown): string {
  return hashOf(JSON.stringify(state)).toString('base64url').slice(0, 22)
}

async function load(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return value
}

/** 256 random bits as text that fits into headers and addresses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token: random tokens need no salt. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
