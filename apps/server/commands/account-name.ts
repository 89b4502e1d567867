import { accountName } from '#account/contract.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Db } from '#base/server/database/database.ts'
import * as user from '#user/server/user.ts'

export function assertValidName(name: string): void {
  if (!accountName.safeParse(name).success)
    throw new CannotStart(`${JSON.stringify(name)} cannot be an account name. One has 3 to 25 letters (a to z), digits or underscores.`)
}

export async function assertNameFree(db: Db, name: string): Promise<void> {
  if (await user.isNameTaken(db, name)) throw new CannotStart(`Somebody goes by the name ${name} already. Choose another.`)
}
