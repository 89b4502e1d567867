import { createHash } from 'node:crypto'
import { refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'

export const KeyReused = refusal('base.keyReused')
export const AlreadyDone = refusal('base.alreadyDone', { status: 409 })

export type OnceOnly = { asker: string; key: string; route: string; body: string; keepsAnswer: boolean }

/**
 * Does a deed once for each key: the same request again, at once or within three days, gets the first answer.
 * The row is written in the deed's own transaction, so a deed that failed leaves none and may be tried again.
 */
export async function once(tx: Db, request: OnceOnly, deed: () => Promise<string>): Promise<string> {
  const hash = createHash('sha256').update(`${request.route}\n${request.body}`).digest()
  const { asker, key, route } = request
  const claimed = await tx
    .insertInto('idempotency_key')
    .values({ asker, key, route, body_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!claimed) return firstAnswer(tx, request, hash)

  const answer = await deed()
  if (request.keepsAnswer) {
    await tx.updateTable('idempotency_key').set({ answer }).where('asker', '=', asker).where('key', '=', key).execute()
  }
  return answer
}

async function firstAnswer(tx: Db, { asker, key }: OnceOnly, hash: Buffer): Promise<string> {
  const first = await tx
    .selectFrom('idempotency_key')
    .select(['body_hash', 'answer'])
    .where('asker', '=', asker)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!first || !first.body_hash.equals(hash)) throw KeyReused()
  if (first.answer === null) throw AlreadyDone()
  return first.answer
}
