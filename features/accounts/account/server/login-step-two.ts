import { ComeFromAdministration } from '#account/contract.ts'
import type { loginStep2 } from '#account/login-contract.ts'
import { forumLoginPath } from '#account/server/staff-login.ts'
import * as login from '#account/server/login.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, SetSecretCookie, Viewer } from '#base/server/http/route.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

type Form = ParsedInput<typeof loginStep2>

/** Consumes the code in a transaction of its own, so that it works once, whatever follows. */
export function verify({ input, client, inSeparateTransaction }: PrepareContext<Form, Viewer>): Promise<void> {
  return secondFactor.verifyLoginStep(inSeparateTransaction, input, client)
}

/** Begins the session that waited. Of two requests with one ticket, one succeeds. */
export async function complete(
  tx: Db,
  { ticket, trusts }: Form,
  client: ClientInfo,
  setSecretCookie: SetSecretCookie,
): Promise<Output<typeof loginStep2>> {
  const memberId = await secondFactor.consumeTicket(tx, ticket, client)
  await login.assertCanLogIn(tx, memberId)
  if ((await forumLoginPath(tx, memberId)) !== 'open') throw ComeFromAdministration()
  const entered = await login.finishLogin(tx, memberId, client, { hasShownMore: true })
  if (trusts) setSecretCookie(await secondFactor.trust(tx, memberId, client), 'devices')
  return entered
}
