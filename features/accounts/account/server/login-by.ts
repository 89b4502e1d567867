import { NoAccountThere, WrongAddressLogin, type loginBy, type sendLoginCode } from '#account/contract.ts'
import * as login from '#account/server/login.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'

const purpose = 'login'

export async function prepareCode(context: PrepareContext<ParsedInput<typeof sendLoginCode>, Viewer>): Promise<contact.Address> {
  await login.assertMethodAllowed(context.db, context.input.kind)
  return contact.requestedAddress(context)
}

export function sendCode(tx: Db, address: contact.Address, client: ClientInfo): Promise<void> {
  return contact.sendCode(tx, address, purpose, client)
}

/** The account, and the proof: the password hash of that moment, or a code. */
type LoginProof = { by: 'code'; memberId: string } | { by: 'password'; verified: login.VerifiedPassword }

/** The code is consumed first: only a caller with the right code learns whether there is an account. */
export async function verify(context: PrepareContext<ParsedInput<typeof loginBy>, Viewer>): Promise<LoginProof> {
  const { db, input } = context
  await login.assertMethodAllowed(db, input.kind)
  if (input.code === undefined) {
    const address = await contact.parseAddress(context)
    const account = { key: await contact.limitKeyOf(db, address), memberId: await contact.ownerOf(db, address), wrong: WrongAddressLogin }
    return { by: 'password', verified: await login.verifyPassword(context, account) }
  }
  const address = await contact.verifiedAddress({ ...context, input: { ...input, code: input.code } }, purpose)
  const memberId = await contact.ownerOf(db, address)
  if (memberId === null) throw NoAccountThere()
  return { by: 'code', memberId }
}

export function complete(tx: Db, proof: LoginProof, client: ClientInfo): Promise<Output<typeof loginBy>> {
  return proof.by === 'code' ? login.loginAs(tx, proof.memberId, client) : login.complete(tx, proof.verified, client, WrongAddressLogin)
}
