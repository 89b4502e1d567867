import type { askPasskeyLogin, loginByPasskey } from '#account/login-contract.ts'
import { ComeFromAdministration } from '#account/contract.ts'
import { forumLoginPath } from '#account/server/staff-login.ts'
import * as login from '#account/server/login.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

/** The challenge to be signed: by any passkey of this site, or by one of the member whose login waits for its second step. */
export async function requestSignature(
  tx: Db,
  { ticket }: ParsedInput<typeof askPasskeyLogin>,
  client: ClientInfo,
): Promise<Output<typeof askPasskeyLogin>> {
  if (ticket === undefined) return secondFactor.requestPasskeySignature(tx, { purpose: 'login', memberId: null }, client)
  return secondFactor.requestPasskeySignature(
    tx,
    { purpose: 'step2', memberId: await secondFactor.ownerOfTicket(tx, ticket, client) },
    client,
  )
}

export function verify({
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof loginByPasskey>, Viewer>): Promise<string> {
  return secondFactor.verifyPasskey(inSeparateTransaction, input.passkey, { purpose: 'login', memberId: null }, client)
}

/** A passkey is two factors in one: the device, and its unlocking. So no second step follows. */
export async function complete(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof loginByPasskey>> {
  await login.assertCanLogIn(tx, memberId)
  if ((await forumLoginPath(tx, memberId)) !== 'open') throw ComeFromAdministration()
  return login.finishLogin(tx, memberId, client, { hasShownMore: true })
}
