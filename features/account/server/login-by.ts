import { NoAccountThere, WrongAddressLogin, type loginBy, type sendLoginCode } from '#account/contract.ts'
import * as login from '#account/server/login.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'

const purpose = 'login'

export async function prepareCode(before: PrepareContext<ParsedInput<typeof sendLoginCode>, Viewer>): Promise<contact.Address> {
  await login.mustAllow(before.db, before.input.kind)
  return contact.addressAsked(before)
}

export function sendCode(tx: Db, its: contact.Address, client: ClientInfo): Promise<void> {
  return contact.sendCode(tx, its, purpose, client)
}

/** The account, and the proof: the password hash of that moment, or a code. */
type Proved = { by: 'code'; memberId: string } | { by: 'password'; proved: login.Proved }

/** The code is consumed first: only a caller with the right code learns whether there is an account. */
export async function prove(before: PrepareContext<ParsedInput<typeof loginBy>, Viewer>): Promise<Proved> {
  const { db, input } = before
  await login.mustAllow(db, input.kind)
  if (input.code === undefined) {
    const its = await contact.addressNamed(before)
    const whose = { key: await contact.keyOf(db, its), memberId: await contact.ownerOf(db, its), wrong: WrongAddressLogin }
    return { by: 'password', proved: await login.proveFor(before, whose) }
  }
  const its = await contact.addressShown({ ...before, input: { ...input, code: input.code } }, purpose)
  const memberId = await contact.ownerOf(db, its)
  if (memberId === null) throw NoAccountThere()
  return { by: 'code', memberId }
}

export function begin(tx: Db, shown: Proved, client: ClientInfo): Promise<Output<typeof loginBy>> {
  return shown.by === 'code' ? login.admit(tx, shown.memberId, client) : login.begin(tx, shown.proved, client, WrongAddressLogin)
}
