import { sql } from 'kysely'
import type { Output, RefusalKind, ParsedInput } from '#base/contract.ts'
import * as attempts from '#base/server/security/attempts.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { isPassword, renewedHash } from '#base/server/security/hash-password.ts'
import type { PrepareContext, Member } from '#base/server/http/route.ts'
import { LogInAgain, PasswordWrong, TooManyTries, type proofForm, type ProofMethod, type prove } from '#second-factor/contract.ts'
import * as app from '#second-factor/server/app.ts'
import * as passkey from '#second-factor/server/passkey.ts'
import * as user from '#user/server/user.ts'

const tryLimit = { most: 5, seconds: 900 }

/** Members with a second factor use it here: the password alone would be a way around it. */
export async function form(db: Db, { id }: Member): Promise<Output<typeof proofForm>> {
  const [hasPasskey, asksCodes] = [(await passkey.passkeys(db, id)).length > 0, await app.enabledSince(db, id)]
  const { has_password } = await primary(db).selectFrom('member').select('has_password').where('id', '=', id).executeTakeFirstOrThrow()
  const ways: ProofMethod[] = asksCodes ? ['code'] : has_password ? ['password'] : []
  return { ways: hasPasskey ? [...ways, 'passkey'] : ways }
}

export async function prepare(context: PrepareContext<ParsedInput<typeof prove>, Member>): Promise<void> {
  const { db, viewer, input, client, inSeparateTransaction } = context
  const { ways } = await form(db, viewer)
  if (input.passkey)
    return void (await passkey.verifyPasskey(inSeparateTransaction, input.passkey, { purpose: 'prove', memberId: viewer.id }, client))
  if (ways.includes('code')) return app.verifyCode(inSeparateTransaction, viewer.id, input.code ?? '')
  if (ways.includes('password')) return void (await verifyPassword(context, input.password ?? '', PasswordWrong))
  throw LogInAgain()
}

/**
 * Refuses a wrong password; returns the hash that a right one now has, which replaced an imported one. Each attempt is counted before it is
 * compared, and a right one resets the count, so parallel attempts are limited too.
 */
export async function verifyPassword(
  { db, viewer, inSeparateTransaction }: Pick<PrepareContext<unknown, Member>, 'db' | 'viewer' | 'inSeparateTransaction'>,
  typed: string,
  wrong: RefusalKind,
): Promise<string> {
  const key = `prove member ${viewer.id}`
  const seconds = await inSeparateTransaction((tx) => attempts.take(tx, [{ key, ...tryLimit }]))
  if (seconds > 0) throw TooManyTries({ seconds, minutes: Math.ceil(seconds / 60) })
  const { password_hash: hash } = await db
    .selectFrom('member')
    .select('password_hash')
    .where('id', '=', viewer.id)
    .executeTakeFirstOrThrow()
  if (!(await isPassword(hash, typed)) || hash === null) throw wrong()
  const renewed = await renewedHash(hash, typed)
  await inSeparateTransaction(async (tx) => {
    await attempts.reset(tx, key)
    if (renewed) await user.replaceHash(tx, viewer.id, hash, renewed)
  })
  return renewed ?? hash
}

/** Records that this session has re-authenticated now. */
export async function recordProof(tx: Db, { sessionId }: Pick<Member, 'sessionId'>): Promise<void> {
  const proved_at = sql<Date>`now()`
  await tx
    .insertInto('session_proof')
    .values({ session_id: sessionId, proved_at })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ proved_at }))
    .execute()
}
