import { sql } from 'kysely'
import * as attempts from '#base/server/security/attempts.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { CodeWrong, TooManyTries } from '#second-factor/contract.ts'
import { isDigits, newRecoveryCodes, newSecret, normalizeCode, setupOf, stepOf } from '#second-factor/server/app-codes.ts'

/** Six digits can be guessed, so wrong codes are limited per account. */
const guessLimit = { most: 10, seconds: 3600 }

/** When the member's second factor was turned on; null where it is off. */
export async function enabledSince(db: Db, memberId: string): Promise<Date | null> {
  const row = await primary(db).selectFrom('second_factor').select('confirmed_at').where('member_id', '=', memberId).executeTakeFirst()
  return row?.confirmed_at ?? null
}

/** Stores a new secret, which is active once a code of it was given. Null where one is active already. */
export async function beginSetup(tx: Db, memberId: string, names: { issuer: string; label: string }) {
  const bytes = newSecret()
  const secret = seal(sealContext(memberId), bytes)
  const begun = await tx
    .insertInto('second_factor')
    .values({ member_id: memberId, secret })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet({ secret, step: '0' }).where('second_factor.confirmed_at', 'is', null),
    )
    .returning('member_id')
    .executeTakeFirst()
  return begun ? setupOf(bytes, names) : null
}

/** Whether a secret waits for its first code. */
export async function isSetupPending(db: Db, memberId: string): Promise<boolean> {
  const row = await primary(db).selectFrom('second_factor').select('confirmed_at').where('member_id', '=', memberId).executeTakeFirst()
  return row !== undefined && row.confirmed_at === null
}

/** Activates the secret whose code was verified, and returns recovery codes. Null where none is pending. */
export async function confirmSetup(tx: Db, memberId: string): Promise<string[] | null> {
  const row = await tx
    .updateTable('second_factor')
    .set({ confirmed_at: sql`now()` })
    .where('member_id', '=', memberId)
    .where('confirmed_at', 'is', null)
    // Another secret may have been started since.
    .where('step', '>', '0')
    .returning('member_id')
    .executeTakeFirst()
  return row ? renewCodes(tx, memberId) : null
}

/** Returns recovery codes that replace the earlier ones. They are stored as hashes. */
export async function renewCodes(tx: Db, memberId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ member_id: memberId, hash: hashOf(normalizeCode(code)) })))
    .execute()
  return codes
}

export async function codesLeft(db: Db, memberId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Consumes a code of the app, or a recovery code, in a transaction of its own, so that it works once. Guesses are counted before they are
 * compared.
 */
export async function verifyCode(inSeparateTransaction: RunInSeparateTransaction, memberId: string, code: string): Promise<void> {
  const key = `second factor member ${memberId}`
  const wrong = await inSeparateTransaction(async (tx) => {
    // A recovery code cannot be guessed, and works for an owner who is locked out by others' guesses.
    const seconds = isDigits(code) ? await attempts.take(tx, [{ key, ...guessLimit }]) : 0
    if (seconds > 0) return TooManyTries({ seconds, minutes: Math.ceil(seconds / 60) })
    if (!(await consumeCode(tx, memberId, code))) return CodeWrong()
    await attempts.reset(tx, key)
    return null
  })
  if (wrong) throw wrong
}

async function consumeCode(tx: Db, memberId: string, code: string): Promise<boolean> {
  return isDigits(code) ? consumeDigits(tx, memberId, code) : consumeRecoveryCode(tx, memberId, normalizeCode(code))
}

async function consumeDigits(tx: Db, memberId: string, digits: string): Promise<boolean> {
  const row = await tx
    .selectFrom('second_factor')
    .select(['secret', 'step'])
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  const step = row && stepOf(unseal(sealContext(memberId), row.secret), digits, row.step)
  if (!step) return false
  await tx.updateTable('second_factor').set({ step }).where('member_id', '=', memberId).execute()
  return true
}

async function consumeRecoveryCode(tx: Db, memberId: string, code: string): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_code')
    .set({ used_at: sql`now()` })
    .where('member_id', '=', memberId)
    .where('hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

function sealContext(memberId: string): SealContext {
  return { purpose: 'second factor', row: memberId }
}
