import { randomUUID } from 'node:crypto'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as captcha from '#captcha/server/captcha.ts'
import * as challenge from '#challenge/server/challenge.ts'
import { CodeTooSoon, CodeWrong, kinds, type Kind } from '#contact/contract.ts'
import { subjectOf, type Address } from '#contact/server/address.ts'
import { isBrowserOfOwner } from '#contact/server/bound.ts'
import { spelled, type Typed } from '#contact/server/spelling.ts'
import type { Channel } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export const channels = { phone: 'sms', email: 'email' } as const satisfies Record<Kind, Channel>
const codeMinutes = 10

/** The kinds of addresses that can receive codes now. The others are offered nowhere. */
export function sendable(settings: Settings): Kind[] {
  return kinds.filter((kind) => setting.sends(settings, channels[kind]))
}

/** Refuses, before any other check, a kind that cannot receive codes. */
export async function mustSend(db: Db, kind: Kind): Promise<void> {
  delivery.mustSend(await setting.all(db), channels[kind])
}

/**
 * Sends a code to an address, for one purpose. The message and the response are the same whether or not the address has an owner; only a
 * reader of the code learns more. Codes sent on behalf of strangers do not use up those of an owner in a browser that logged in before.
 * Call it last in a transaction.
 */
export async function sendCode(tx: Db, { kind, address }: Address, purpose: string, client: ClientInfo): Promise<void> {
  const isOwners = await isBrowserOfOwner(tx, { kind, address }, client)
  const made = await challenge.makeCode(tx, { purpose, subject: subjectOf({ kind, address }), isOwners }, client)
  if ('seconds' in made) throw CodeTooSoon({ seconds: made.seconds, ...saidIn(made.seconds) })
  await delivery.send(tx, {
    effectKey: `code ${randomUUID()}`,
    channel: channels[kind],
    to: address,
    template: 'code',
    values: { code: made.code, minutes: String(codeMinutes) },
    language: client.language,
    goodForSeconds: codeMinutes * 60,
  })
}

/** The wait in a unit that reads well: a day is not given in seconds. */
function saidIn(seconds: number): { unit: string; count: number } {
  if (seconds <= 120) return { unit: 'seconds', count: seconds }
  if (seconds <= 7200) return { unit: 'minutes', count: Math.ceil(seconds / 60) }
  return { unit: 'hours', count: Math.ceil(seconds / 3600) }
}

type Solved = { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined }
type Named = Typed & { kind: Kind }

/** Spends the captcha that every code costs. */
export async function spendCaptcha({
  input,
  client,
  inSeparateTransaction,
}: Pick<PrepareContext<Solved, Viewer>, 'input' | 'client' | 'inSeparateTransaction'>): Promise<void> {
  captcha.refuseUnless(await inSeparateTransaction((tx) => captcha.spend(tx, 'code', client, input)))
}

/** The address of a request for a code. No query or counter depends on whether the address has an owner. */
export async function addressAsked(before: PrepareContext<Named & Solved, Viewer>): Promise<Address> {
  await mustSend(before.db, before.input.kind)
  const its = await addressNamed(before)
  await spendCaptcha(before)
  return its
}

/** The address that a code proves, which is consumed. Refuses a wrong code. */
export async function addressShown(before: PrepareContext<Named & { code: string }, Viewer>, purpose: string): Promise<Address> {
  const its = await addressNamed(before)
  await mustKnowCode(before, its, purpose, before.input.code)
  return its
}

export async function addressNamed({ db, input }: Pick<PrepareContext<Named, Viewer>, 'db' | 'input'>): Promise<Address> {
  return { kind: input.kind, address: spelled(input.kind, input, await setting.all(db)) }
}

type Apart = Pick<PrepareContext<unknown, Viewer>, 'client' | 'inSeparateTransaction'>

/** Consumes the code that was sent to an address. The attempt stays counted when it is refused. */
export async function mustKnowCode({ client, inSeparateTransaction }: Apart, its: Address, purpose: string, code: string): Promise<void> {
  const outcome = await inSeparateTransaction(async (tx) => {
    const spent = await challenge.spend(tx, { kind: 'code', purpose, subject: subjectOf(its) }, code, client)
    if (spent === 'right' && its.kind === 'email') await delivery.reached(tx, its.address)
    return spent
  })
  if (outcome !== 'right') throw CodeWrong()
}
