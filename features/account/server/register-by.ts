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

export async function prepareCode(before: PrepareContext<ParsedInput<typeof sendRegisterCode>, Viewer>): Promise<contact.Address> {
  await register.mustAllow(before.db, before.input.kind)
  // Without an invitation nothing is sent.
  await invitation.mustBeGood(before.db, before.input.invitation)
  return contact.addressAsked(before)
}

export function sendCode(tx: Db, its: contact.Address, client: ClientInfo): Promise<void> {
  return contact.sendCode(tx, its, purpose, client)
}

/** Consumes the code. Only a caller with the right code learns that the address has an account already. */
export async function prove(before: PrepareContext<ParsedInput<typeof proveAddress>, Viewer>): Promise<contact.Address> {
  await register.mustAllow(before.db, before.input.kind)
  const its = await contact.addressShown(before, purpose)
  if (!(await contact.isFree(before.db, its))) throw AddressTaken()
  return its
}

export async function giveTicket(tx: Db, { kind, address }: contact.Address, client: ClientInfo): Promise<Output<typeof proveAddress>> {
  const ticket = newToken()
  const hash = hashOf(ticket)
  const expires_at = sql<Date>`now() + ${ticketMinutes} * interval '1 minute'`
  await tx
    .insertInto('register_ticket')
    .values({ hash, kind, address: seal(placeOf(hash), address), asker: client.csrf, expires_at })
    .execute()
  return { ticket }
}

type Ready = register.Ready & { account: string }

/** Checks the form for the holder of a ticket. The transaction that follows consumes the ticket, so that a refusal keeps it. */
export async function prepare({ db, input, client }: PrepareContext<Form, Viewer>): Promise<Ready> {
  // The ticket was written a step ago, and a replica may not have it yet.
  const held = await primary(db)
    .selectFrom('register_ticket')
    .select('hash')
    .where('hash', '=', hashOf(input.ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  if (!held) throw RegisterExpired()
  const named = { ...input, account: input.account ?? (await freeAccount(db, input.nickname)) }
  const answers = await register.mayJoin(db, named, client)
  if (await isCommon(input.password, named.account)) throw PasswordCommon()
  await register.mustBeFree(db, named)
  return { account: named.account, password: await hashPassword(input.password), hintAnswer: null, answers }
}

/** Makes the member, binds the address, and begins the first session. */
export async function join(tx: Db, form: Form, { account, ...ready }: Ready, client: ClientInfo): Promise<Output<typeof registerBy>> {
  const its = await take(tx, form.ticket, client)
  await register.mustAllow(tx, its.kind)
  const memberId = await register.addOnce(tx, { ...form, account }, ready, client)
  await contact.bind(tx, memberId, its)
  return register.begin(tx, memberId, client)
}

/** Tickets are useless without the key that sealed them. */
export async function forgetSealed(tx: Db): Promise<void> {
  await tx.deleteFrom('register_ticket').execute()
}

async function take(tx: Db, ticket: string, client: ClientInfo): Promise<contact.Address> {
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
  return { kind, address: unseal(placeOf(hash), row.address).toString() }
}

function placeOf(hash: Buffer): SealContext {
  return { purpose: 'register ticket', row: hash.toString('hex') }
}
