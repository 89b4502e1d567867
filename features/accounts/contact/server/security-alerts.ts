import { randomUUID } from 'node:crypto'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { addressesOf } from '#contact/server/bound-address.ts'
import type { Address } from '#contact/server/address.ts'
import { channels } from '#contact/server/code.ts'
import { CountryNotServed, TooManySent } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'

/** The template's values; and for a job that may run again, its idempotency key. */
export type AlertOptions = { values?: delivery.Values; effectKey?: string }
type AlertMessage = AlertOptions & Pick<delivery.OutboundMessage, 'template' | 'isNews'>

/**
 * Notifies the owner of an account at this address, in their language. Does nothing where sending is off. Call it last in a transaction.
 */
export async function notifyAddress(
  tx: Db,
  memberId: string,
  { kind, address }: Address,
  { template, values = {}, effectKey = `told ${randomUUID()}`, isNews = false }: AlertMessage,
): Promise<void> {
  const { language } = await tx.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  await delivery
    .send(tx, {
      effectKey,
      channel: channels[kind],
      to: address,
      template,
      values,
      language: language === 'en' ? 'en' : 'zh',
      use: 'safety',
      memberId,
      isNews,
    })
    .catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.kind !== CountryNotServed) throw error
    })
}

/**
 * Notifies the owner by e-mail of what concerns the safety of the account, where an address is bound. A reached daily ceiling does not
 * refuse the change. Call it last in a transaction; one that may run again names its `effectKey`, so that the owner is notified once.
 */
export async function emailOwner(tx: Db, memberId: string, template: delivery.Template, options: AlertOptions = {}): Promise<void> {
  const email = (await addressesOf(tx, memberId)).find(({ kind }) => kind === 'email')
  if (email) await notifyIfQuotaAllows(tx, memberId, email, template, options)
}

/**
 * Notifies the owner at every address of a change to who can log in: a thief's bound e-mail address does not silence an owner with only a
 * number. Takes the addresses where they differ from those that are bound now. Call it last in a transaction.
 */
export async function notifyAllAddresses(
  tx: Db,
  memberId: string,
  template: delivery.Template,
  { addresses, ...told }: AlertOptions & { addresses?: readonly Address[] } = {},
) {
  for (const its of addresses ?? (await addressesOf(tx, memberId)))
    await notifyIfQuotaAllows(tx, memberId, its, template, {
      ...told,
      ...(told.effectKey && { effectKey: `${told.effectKey} ${its.kind}` }),
    })
}

/**
 * Notifies this address of a change that proceeds even if it cannot be notified: using up the daily quota does not lock an owner out, and
 * these messages use no more than half of it. Call it last in a transaction.
 */
export async function notifyIfQuotaAllows(
  tx: Db,
  memberId: string,
  its: Address,
  template: delivery.Template,
  options: AlertOptions = {},
): Promise<void> {
  await notifyAddress(tx, memberId, its, { template, ...options, isNews: true }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== TooManySent) throw error
  })
}
