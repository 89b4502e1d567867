import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#base/server/database/database.ts'
import { perProgram } from '#base/server/program.ts'

const secretsOf = perProgram(() => new Map<string, Promise<Buffer>>())

/**
 * A 256-bit key of the forum, created at the first use and the same on every machine. The program loads each at its start, outside of any
 * transaction that could roll it back.
 */
export function secretOf(db: Db, name: string): Promise<Buffer> {
  const secretsByName = secretsOf(db)
  const secret = secretsByName.get(name) ?? load(db, name)
  secretsByName.set(name, secret)
  return secret
}

/** A short version tag of a state: equal states have equal tags. */
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

/** The stored hash of a token: random tokens need no salt. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
