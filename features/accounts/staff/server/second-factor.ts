import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { appCodes } from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'

/** A new secret, active once a code of it is confirmed. Null where a second factor is active already. */
export async function begin(tx: Db, staffId: string, account: string): Promise<{ secret: string; address: string } | null> {
  const secret = appCodes.newSecret()
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ totp_secret: seal(sealContext(staffId), secret) })
    .where('id', '=', staffId)
    .where('totp_confirmed', '=', false)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) return null
  const { title } = await setting.all(tx)
  return appCodes.setupOf(secret, { issuer: title, label: account })
}

/** Activates the second factor and returns recovery codes, which are stored as hashes. */
export async function confirm(tx: Db, staffId: string): Promise<string[]> {
  await tx.updateTable('staff').set({ totp_confirmed: true }).where('id', '=', staffId).execute()
  return renew(tx, staffId)
}

/** Replaces the recovery codes. */
export async function renew(tx: Db, staffId: string): Promise<string[]> {
  const codes = appCodes.newRecoveryCodes()
  await tx.deleteFrom('staff_recovery_code').where('staff_id', '=', staffId).execute()
  await tx
    .insertInto('staff_recovery_code')
    .values(codes.map((code) => ({ staff_id: staffId, hash: hashOf(appCodes.normalizeCode(code)) })))
    .execute()
  return codes
}

export async function remove(tx: Db, staffId: string): Promise<void> {
  await tx.updateTable('staff').set({ totp_secret: null, totp_confirmed: false }).where('id', '=', staffId).execute()
  await tx.deleteFrom('staff_recovery_code').where('staff_id', '=', staffId).execute()
}

export async function codesLeft(db: Db, staffId: string): Promise<number> {
  const { count } = await db
    .selectFrom('staff_recovery_code')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Consumes a code of the app, or a recovery code; false for a wrong or used one. Must run in a transaction that commits in either case. */
export async function consume(tx: Db, staffId: string, code: string): Promise<boolean> {
  return appCodes.isDigits(code) ? consumeDigits(tx, staffId, code) : consumeRecoveryCode(tx, staffId, code)
}

async function consumeDigits(tx: Db, staffId: string, digits: string): Promise<boolean> {
  const row = await tx.selectFrom('staff').select(['totp_secret', 'totp_step']).where('id', '=', staffId).forUpdate().executeTakeFirst()
  if (!row?.totp_secret) return false
  const step = appCodes.stepOf(unseal(sealContext(staffId), row.totp_secret), digits, row.totp_step)
  if (!step) return false
  await tx.updateTable('staff').set({ totp_step: step }).where('id', '=', staffId).execute()
  return true
}

async function consumeRecoveryCode(tx: Db, staffId: string, code: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_recovery_code')
    .set({ used_at: sql`now()` })
    .where('staff_id', '=', staffId)
    .where('hash', '=', hashOf(appCodes.normalizeCode(code)))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Removes the second factors that were encrypted with a lost key. Returns the accounts: they have to set one up again. */
export async function purgeUndecryptable(tx: Db): Promise<string[]> {
  const rows = await tx.selectFrom('staff').select('id').where('totp_secret', 'is not', null).execute()
  for (const { id } of rows) await remove(tx, id)
  return rows.map(({ id }) => id)
}

function sealContext(staffId: string): SealContext {
  return { purpose: 'staff second factor', row: staffId }
}
