import { randomUUID } from 'node:crypto'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { addressesOf } from '#contact/server/bound.ts'
import type { Address } from '#contact/server/address.ts'
import { channels } from '#contact/server/code.ts'
import { CountryNotServed, TooManySent } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'

/** What is filled in; and for a deed that may come again, its key. */
export type AlertOptions = { values?: delivery.Values; effectKey?: string }
type Says = AlertOptions & Pick<delivery.Sending, 'template' | 'isNews'>

/** Tells the owner of an account, at this address, in the language they read. Nothing where none is sent there any more. Comes last in a deed. */
export async function tell(
  tx: Db,
  memberId: string,
  { kind, address }: Address,
  { template, values = {}, effectKey = `told ${randomUUID()}`, isNews = false }: Says,
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
 * Tells the owner by e-mail of what concerns the safety of the account, where one is bound. That the day's ceiling is reached is no reason
 * to refuse what they are told of. Comes last in a deed; one that comes again names its `effectKey`, and they are told once.
 */
export async function mailOwner(tx: Db, memberId: string, template: delivery.Template, told: AlertOptions = {}): Promise<void> {
  const email = (await addressesOf(tx, memberId)).find(({ kind }) => kind === 'email')
  if (email) await tellIfRoom(tx, memberId, email, template, told)
}

/**
 * Tells the owner everywhere of what changes who gets into the account: a thief who bound an e-mail address of theirs does not silence whoever has a number
 * alone. Names the addresses where those that are bound now are others. Comes last in a deed.
 */
export async function tellEverywhere(
  tx: Db,
  memberId: string,
  template: delivery.Template,
  { at, ...told }: AlertOptions & { at?: readonly Address[] } = {},
) {
  for (const its of at ?? (await addressesOf(tx, memberId)))
    await tellIfRoom(tx, memberId, its, template, { ...told, ...(told.effectKey && { effectKey: `${told.effectKey} ${its.kind}` }) })
}

/**
 * Tells at this address what is done whether it can be told or not: whoever uses up what may be sent in a day does not keep an owner out by that, and
 * uses up no more than half. Comes last in a deed.
 */
export async function tellIfRoom(
  tx: Db,
  memberId: string,
  its: Address,
  template: delivery.Template,
  told: AlertOptions = {},
): Promise<void> {
  await tell(tx, memberId, its, { template, ...told, isNews: true }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== TooManySent) throw error
  })
}
