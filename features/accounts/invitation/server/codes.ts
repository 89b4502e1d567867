import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import type { invitationStates } from '#invitation/contract.ts'

export type InvitationAuthor = { member_id: string } | { staff_id: string }
export type CodeOptions = { uses: number; until: Date | null; note: string }

/** Makes an invitation: 128 random bits, which fit into a message. */
export async function make(tx: Db, by: InvitationAuthor, options: CodeOptions): Promise<{ id: string; code: string }> {
  const code = newToken().slice(0, 22)
  const hash = hashOf(code)
  const { id } = await tx
    .insertInto('invitation')
    .values({ hash, code: seal(sealContext(hash), code), ...by, ...options })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code }
}

export async function revoke(tx: Db, condition: RawBuilder<boolean>): Promise<boolean> {
  const row = await tx
    .updateTable('invitation')
    .set({ revoked_at: sql`now()` })
    .where(condition)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The state, by the strongest reason first. */
export const stateNow = sql<(typeof invitationStates)[number]>`case when revoked_at is not null then 'revoked' when used >= uses then 'used'
  when until <= now() then 'late' else 'open' end`

/** An invitation as its author sees it. */
export function viewOf<Row extends { hash: Buffer; code: Buffer | null }>({ hash, code: box, ...its }: Row, origin: string) {
  const code = box && unseal(sealContext(hash), box).toString()
  return { ...its, code, link: code && linkOf(origin, code) }
}

export function linkOf(origin: string, code: string): string {
  return `${origin}/register?invite=${code}`
}

function sealContext(hash: Buffer): SealContext {
  return { purpose: 'invitation', row: hash.toString('hex') }
}
