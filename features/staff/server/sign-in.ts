import * as proof from '#account/server/account.ts'
import type { Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Apart, Before, From, Staff, Viewer } from '#base/server/route.ts'
import { CodeNeeded, CodeWrong, WrongSignIn, type prove, type signIn } from '#staff/contract.ts'
import * as secondFactor from '#staff/server/second-factor.ts'
import * as user from '#user/server/user.ts'

export type Proved = { id: string; account: string }

// No account name has a space, so failures of staff and of members under one name are apart.
const keyOf = (account: string) => `staff ${user.nameKey(account)}`.slice(0, 100)

export async function needsCaptcha(db: Db, from: From): Promise<boolean> {
  return proof.needsCaptcha(db, from)
}

/** Finds whose account this is. An unknown account, a wrong password and one who is locked out are one answer, and take one time. */
export async function prepare(before: Before<Taken<typeof signIn>, Viewer>): Promise<Proved> {
  await proof.mustPassCaptcha(before, 'staff', keyOf(before.input.account))
  return proved(before, before.input)
}

/** The same for one who is signed in: only they themselves pass. */
export async function prepareAgain({ db, viewer, input, from, apart }: Before<Taken<typeof prove>, Staff>): Promise<Proved> {
  return proved({ db, from, apart }, { account: viewer.staff.account, ...input })
}

type Ground = { db: Db; from: From; apart: Apart }
type Shown = { account: string; password: string; code?: string | undefined }

async function proved({ db, from, apart }: Ground, { account, password, code }: Shown): Promise<Proved> {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'account', 'password_hash', 'totp_confirmed', 'disabled_at'])
    .where('account_key', '=', user.nameKey(account))
    .executeTakeFirst()
  const isTheirs = await proof.isPassword(staff?.password_hash ?? null, password)
  if (!staff || !isTheirs || staff.disabled_at) {
    await apart((tx) => failed(tx, account, from))
    throw WrongSignIn()
  }
  if (staff.totp_confirmed) await mustFit({ from, apart }, staff, code)
  return { id: staff.id, account: staff.account }
}

async function mustFit({ from, apart }: Omit<Ground, 'db'>, staff: Proved, code: string | undefined): Promise<void> {
  if (!code) throw CodeNeeded()
  const isRight = await apart(async (tx) => (await secondFactor.take(tx, staff.id, code)) || (await failed(tx, staff.account, from)))
  if (!isRight) throw CodeWrong()
}

async function failed(tx: Db, account: string, { ip }: From): Promise<false> {
  await tx
    .insertInto('failed_login')
    .values({ account_key: keyOf(account), ip })
    .execute()
  return false
}
