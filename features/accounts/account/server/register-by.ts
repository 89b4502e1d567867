import { sql } from 'kysely'
import { PasswordCommon, RegisterExpired } from '#account/contract.ts'
import type { proveAddress, registerBy, sendRegisterCode } from '#account/register-contract.ts'
import { isCommon } from '#account/server/common-password.ts'
import * as register from '#account/server/register.ts'
import { freeAccount } from '#account/server/suggest-account.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import { seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { AddressTaken, kinds } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import * as invitation from '#invitation/server/invitation.ts'

const purpose = 'register'
const ticketMinutes = 30

type Form = ParsedInput<typeof registerBy>

export async function prepareCode(context: PrepareContext<ParsedInput<typeof sendRegisterCode>, Viewer>): Promise<contact.Address> {
  await register.assertMethodAllowed(context.db, context.input.kind)
  // Without an invitation nothing is sent.
  await invitation.assertValid(context.db, context.input.invitation)
  return contact.requestedAddress(context)
}

export function sendCode(tx: Db, address: contact.Address, client: ClientInfo): Promise<void> {
  return contact.sendCode(tx, address, purpose, client)
}

/** Consumes the code. Only a caller with the right code learns that the address has an account already. */
export async function verifyCode(context: PrepareContext<ParsedInput<typeof proveAddress>, Viewer>): Promise<contact.Address> {
  await register.assertMethodAllowed(context.db, context.input.kind)
  const address = await contact.verifiedAddress(context, purpose)
  if (!(await contact.canBindAnother(context.db, address))) throw AddressTaken()
  return address
}

export async function issueTicket(tx: Db, { kind, address }: contact.Address, client: ClientInfo): Promise<Output<typeof proveAddress>> {
  const ticket = newToken()
  const hash = hashOf(ticket)
  const expires_at = sql<Date>`now() + ${ticketMinutes} * interval '1 minute'`
  await tx
    .insertInto('register_ticket')
    .values({ hash, kind, address: seal(sealContext(hash), address), asker: client.csrf, expires_at })
    .execute()
  return { ticket }
}

type PreparedAccount = register.PreparedAccount & { account: string }

/** Checks the form for the holder of a ticket. The transaction that follows consumes the ticket, so that a refusal keeps it. */
export async function prepare({ db, input, client }: PrepareContext<Form, Viewer>): Promise<PreparedAccount> {
  // The ticket was written a step ago, and a replica may not have it yet.
  const row = await primary(db)
    .selectFrom('register_ticket')
    .select('hash')
    .where('hash', '=', hashOf(input.ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  if (!row) throw RegisterExpired()
  const named = { ...input, account: input.account ?? (await freeAccount(db, input.nickname)) }
  const answers = await register.checkRegistration(db, named, client)
  if (await isCommon(input.password, named.account)) throw PasswordCommon()
  await register.assertNamesFree(db, named)
  return { account: named.account, password: await hashPassword(input.password), hintAnswer: null, answers }
}

/** Makes the member, binds the address, and begins the first session. */
export async function complete(
  tx: Db,
  form: Form,
  { account, ...ready }: PreparedAccount,
  client: ClientInfo,
): Promise<Output<typeof registerBy>> {
  const address = await consumeTicket(tx, form.ticket, client)
  await register.assertMethodAllowed(tx, address.kind)
  const memberId = await register.addOnce(tx, { ...form, account }, ready, client)
  await contact.bind(tx, memberId, address)
  return register.finishRegistration(tx, memberId, client)
}

/** Tickets are useless without the key that sealed them. */
export async function purgeUndecryptable(tx: Db): Promise<void> {
  await tx.deleteFrom('register_ticket').execute()
}

async function consumeTicket(tx: Db, ticket: string, client: ClientInfo): Promise<contact.Address> {
  const hash = hashOf(ticket)
  const row = await tx
    .deleteFrom('register_ticket')
    .where('hash', '=', hash)
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning(['kind', 'address'])
    .executeTakeFirst()
  const kind = kinds.find((one) => one === row?.kind)
  if (!row || !kind) throw RegisterExpired()
  return { kind, address: unseal(sealContext(hash), row.address).toString() }
}

function sealContext(hash: Buffer): SealContext {
  return { purpose: 'register ticket', row: hash.toString('hex') }
}
