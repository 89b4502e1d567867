import { randomUUID } from 'node:crypto'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import * as captcha from '#captcha/server/captcha.ts'
import * as challenge from '#challenge/server/challenge.ts'
import { CodeTooSoon, CodeWrong, kinds, type Kind } from '#contact/contract.ts'
import { subjectOf, type Address } from '#contact/server/address.ts'
import { ownersPlace } from '#contact/server/bound-address.ts'
import { normalize, type TypedAddress } from '#contact/server/normalize.ts'
import type { Channel } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export const channels = { phone: 'sms', email: 'email' } as const satisfies Record<Kind, Channel>
const codeMinutes = 10

/** The kinds of addresses that can receive codes now. The others are offered nowhere. */
export function sendableKinds(settings: Settings): Kind[] {
  return kinds.filter((kind) => setting.canSend(settings, channels[kind]))
}

/** Refuses, before any other check, a kind that cannot receive codes. */
export async function assertSendable(db: Db, kind: Kind): Promise<void> {
  delivery.assertProvider(await setting.all(db), channels[kind])
}

/**
 * Sends a code to an address, for one purpose. The message and the response are the same whether or not the address has an owner; only a
 * reader of the code learns more. Codes sent on behalf of strangers do not use up those of an owner in a browser that logged in before, or in a
 * network where they are logged in.
 * Call it last in a transaction.
 */
export async function sendCode(tx: Db, { kind, address }: Address, purpose: string, client: ClientInfo): Promise<void> {
  const ownedBy = await ownersPlace(tx, { kind, address }, client)
  const result = await challenge.makeCode(tx, { purpose, subject: subjectOf({ kind, address }), ownedBy }, client)
  if ('seconds' in result) throw CodeTooSoon({ seconds: result.seconds, ...waitUnit(result.seconds) })
  await delivery.send(tx, {
    effectKey: `code ${randomUUID()}`,
    channel: channels[kind],
    to: address,
    template: 'code',
    values: { code: result.code, minutes: String(codeMinutes) },
    language: client.language,
    goodForSeconds: codeMinutes * 60,
  })
}

/** The wait in a unit that reads well: a day is not given in seconds. */
function waitUnit(seconds: number): { unit: string; count: number } {
  if (seconds <= 120) return { unit: 'seconds', count: seconds }
  if (seconds <= 7200) return { unit: 'minutes', count: Math.ceil(seconds / 60) }
  return { unit: 'hours', count: Math.ceil(seconds / 3600) }
}

type CaptchaAnswer = { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined }
type AddressInput = TypedAddress & { kind: Kind }

/** Spends the captcha that every code costs. */
export async function spendCaptcha({
  input,
  client,
  inSeparateTransaction,
}: Pick<PrepareContext<CaptchaAnswer, Viewer>, 'input' | 'client' | 'inSeparateTransaction'>): Promise<void> {
  captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, 'code', client, input)))
}

/** The address of a request for a code. No query or counter depends on whether the address has an owner. */
export async function requestedAddress(context: PrepareContext<AddressInput & CaptchaAnswer, Viewer>): Promise<Address> {
  await assertSendable(context.db, context.input.kind)
  const address = await parseAddress(context)
  await spendCaptcha(context)
  return address
}

/** The address that a code proves, which is consumed. Refuses a wrong code. */
export async function verifiedAddress(context: PrepareContext<AddressInput & { code: string }, Viewer>, purpose: string): Promise<Address> {
  const address = await parseAddress(context)
  await verifyCode(context, address, purpose, context.input.code)
  return address
}

export async function parseAddress({ db, input }: Pick<PrepareContext<AddressInput, Viewer>, 'db' | 'input'>): Promise<Address> {
  return { kind: input.kind, address: normalize(input.kind, input, await setting.all(db)) }
}

type SeparateContext = Pick<PrepareContext<unknown, Viewer>, 'client' | 'inSeparateTransaction'>

/** Consumes the code that was sent to an address. The attempt stays counted when it is refused. */
export async function verifyCode(
  { client, inSeparateTransaction }: SeparateContext,
  address: Address,
  purpose: string,
  code: string,
): Promise<void> {
  const outcome = await inSeparateTransaction(async (tx) => {
    const spent = await challenge.consume(tx, { kind: 'code', purpose, subject: subjectOf(address) }, code, client)
    if (spent === 'right' && address.kind === 'email') await delivery.markDeliverable(tx, address.address)
    return spent
  })
  if (outcome !== 'right') throw CodeWrong()
}
