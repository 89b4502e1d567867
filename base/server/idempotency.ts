import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal, refusal } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database.ts'

export const KeyReused = refusal('base.keyReused')
export const AlreadyDone = refusal('base.alreadyDone', { status: 409 })

export type OnceOnly = { asker: string; key: string; route: string; body: string }

/** Answers what the deed answers, or where it was done for this key within the last three days, what it answered then. */
export async function once(db: Db, request: OnceOnly, deed: () => Promise<string>): Promise<string> {
  try {
    return await deed()
  } catch (error) {
    // What was done already is often refused the second time, such as what was said or spent.
    if (!(error instanceof Refusal) && !isDuplicate(error, 'idempotency_key_pkey')) throw error
    const first = await firstAnswer(db, request)
    if (first === null) throw error
    return first
  }
}

/**
 * Claims the key of a request, as the last word of the transaction that did its deed: of two that do it at the same time, the later one
 * fails at this row and leaves nothing. A deed that failed leaves no row and may be tried again.
 */
export async function claim(tx: Db, request: OnceOnly, answer: string | null): Promise<void> {
  const { asker, key, route } = request
  await sql`/* with the commit */
    insert into idempotency_key (asker, key, route, body_hash, answer)
    values (${asker}, ${key}, ${route}, ${hashOf(request)}, ${answer})`.execute(tx)
}

async function firstAnswer(db: Db, request: OnceOnly): Promise<string | null> {
  const first = await db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'answer'])
    .where('asker', '=', request.asker)
    .where('key', '=', request.key)
    .executeTakeFirst()
  if (!first) return null
  if (!first.body_hash.equals(hashOf(request))) throw KeyReused()
  if (first.answer === null) throw AlreadyDone()
  return first.answer
}

function hashOf({ route, body }: OnceOnly): Buffer {
  return createHash('sha256').update(`${route}\n${body}`).digest()
}
