import { randomPassword } from '#account/server/password.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { Db } from '#base/server/database/database.ts'
import * as user from '#user/server/user.ts'

/** Adds a member who did not register. Returns the random password too. */
export async function addMember(tx: Db, account: string): Promise<{ id: string; account: string; password: string }> {
  const password = randomPassword()
  const { id } = await tx
    .insertInto('member')
    .values({ account, account_key: user.nameKey(account), password_hash: await hashPassword(password) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, account, password }
}
