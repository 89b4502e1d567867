import { randomInt } from 'node:crypto'
import { hashPassword } from '#account/server/password.ts'
import * as token from '#account/server/token.ts'
import type { Db } from '#base/server/database.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'

export type NewStaff = { account: string; password: string }

/** Adds a member of staff and the official member they speak as, who may keep order in the forum, both with the one random password that is given back. */
export async function add(tx: Db, account: string): Promise<NewStaff> {
  const password = randomPassword()
  const password_hash = await hashPassword(password)
  const names = { account, account_key: user.nameKey(account), password_hash }
  const { id } = await tx
    .insertInto('member')
    .values({ ...names, is_official: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('staff')
    .values({ ...names, speaks_as: id })
    .execute()
  await role.giveKeepers(tx, id)
  return { account, password }
}

/** Gives a member of staff a new random password, here and where they speak, and ends the sessions there. Null when there is no such account. */
export async function renewPassword(tx: Db, account: string): Promise<NewStaff | null> {
  const password = randomPassword()
  const password_hash = await hashPassword(password)
  const staff = await tx
    .updateTable('staff')
    .set({ password_hash })
    .where('account_key', '=', user.nameKey(account))
    .returning(['account', 'speaks_as'])
    .executeTakeFirst()
  if (!staff) return null
  await tx.updateTable('member').set({ password_hash }).where('id', '=', staff.speaks_as).execute()
  await token.endAll(tx, staff.speaks_as, 'password changed')
  return { account: staff.account, password }
}

export async function exists(db: Db): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined
}

// Sixteen characters that cannot be mistaken for each other: about 90 bits.
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')
}
