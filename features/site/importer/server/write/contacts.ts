import * as contact from '#contact/server/contact.ts'
import { AddressTaken } from '#contact/contract.ts'
import { Refusal } from '#base/contract.ts'
import { normalizeEmail } from '#base/email-address.ts'
import type { Db } from '#base/server/database/database.ts'
import type { SourceMember } from '#importer/server/source.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'
import * as setting from '#setting/server/setting.ts'

/** Binds the addresses of a member, where nobody here has them. */
export async function bindAddresses(tx: Db, context: ImportContext, member: SourceMember, memberId: string): Promise<void> {
  await bindEmail(tx, context, member, memberId)
  await bindPhone(tx, context, member, memberId)
}

async function bindEmail(tx: Db, context: ImportContext, { name, email }: SourceMember, memberId: string): Promise<void> {
  const address = email && normalizeEmail(email.address)
  if (!address) return void (email?.address && context.note('e-mail address that is none', name))
  try {
    await contact.bind(tx, memberId, { kind: 'email', address })
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== AddressTaken) throw error
    context.note('e-mail address that another member has', name)
  }
}

/** A number of this program is in the form in which it is bound. */
async function bindPhone(tx: Db, context: ImportContext, { name, phone }: SourceMember, memberId: string): Promise<void> {
  if (!phone) return
  try {
    const address = context.reader.same ? phone : contact.normalize('phone', { phone }, await setting.all(tx))
    await contact.bind(tx, memberId, { kind: 'phone', address })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.note(error.kind === AddressTaken ? 'phone number that another member has' : 'phone number that is none', name)
  }
}
