import { domainToUnicode } from 'node:url'
import { normalizeEmail } from '#base/email-address.ts'
import { take, type AttemptLimit } from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { keyedHash, seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import type { Language } from '#base/server/words.ts'
import {
  CountryNotServed,
  NoEmails,
  NoTexts,
  phoneNumber,
  TooManySent,
  WrongEmail,
  WrongNumber,
  type Channel,
  type Template,
  type Use,
} from '#delivery/contract.ts'
import type { Values } from '#delivery/server/templates.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export type { Template, Values }

export type { Composer } from '#delivery/server/templates.ts'
export type { Piece } from '#delivery/server/email-layout.ts'

export { wordingTag } from '#delivery/server/wording.ts'

export { health, type ChannelHealth } from '#delivery/server/health.ts'

export { isUndeliverable, markDeliverable } from '#delivery/server/undeliverable.ts'

export const sendJob = { name: 'delivery-send' }

/** A job sends under an idempotency key. After `goodForSeconds` the message is of no use, and is not tried again. */
export type OutboundMessage = {
  effectKey: string
  channel: Channel
  /** In its canonical form. */
  to: string
  template: Template
  values: Values
  language: Language
  goodForSeconds?: number
  use?: Use
  /** The account that it is about: security alerts of one account are limited per day by e-mail, and separately by text message. */
  memberId?: string
  /** A message that may be dropped, and leaves half of the daily quota to the others. */
  isNews?: boolean
}

export type Content = { to: string; values: Values }

const day = 86_400
const maxPerAccountPerDay = 20
const maxTestsPerDay = 100

/**
 * Queues a message with the transaction, to be sent once, right after the commit. Refuses addresses that nothing can be sent to, a channel
 * without a provider, and messages beyond the daily quotas. A repeated key sends nothing more.
 */
export async function send(tx: Db, sending: OutboundMessage): Promise<void> {
  const { effectKey, channel, to, template, values, language, goodForSeconds = day, use = 'codes', memberId, isNews } = sending
  if (channel === 'email' && normalizeEmail(to) !== to) throw WrongEmail()
  if (channel === 'sms' && !phoneNumber.safeParse(to).success) throw WrongNumber()
  const known = await tx.selectFrom('delivery').select('id').where('effect_key', '=', effectKey).executeTakeFirst()
  if (known) return
  const settings = await setting.all(tx)
  if (use === 'codes' || use === 'tests') assertProvider(settings, channel)
  const country = channel === 'sms' ? countryOf(to, settings) : null
  const ofAccount = memberId ? [{ key: `delivery ${use} ${channel} of ${memberId}`, most: maxPerAccountPerDay, seconds: day }] : []
  const limits = [...dailyLimits(settings, { channel, use, country }), ...ofAccount]
  if ((await take(tx, isNews ? limits.map(halfLimit) : limits)) > 0) throw TooManySent()
  const row = {
    effect_key: effectKey,
    channel,
    template,
    language,
    shown_as: masked(to),
    to_hash: hashOf(to),
    country: country?.code ?? null,
    is_test: use === 'tests',
    content: seal(sealContext(effectKey), JSON.stringify({ to, values } satisfies Content)),
    useless_at: new Date(Date.now() + goodForSeconds * 1000),
  }
  await tx
    .insertInto('delivery')
    .values(row)
    .onConflict((conflict) => conflict.column('effect_key').doNothing())
    .execute()
  await runSoon(tx, sendJob)
}

type QuotaKey = { channel: Channel; use: Use; country: Country | null }

/** The daily limits of one use, in total and for one country. */
export function dailyLimits(settings: Settings, { channel, use, country }: QuotaKey): AttemptLimit[] {
  const ofChannel = channel === 'email' ? settings.emailsPerDay : settings.smsPerDay
  const most = use === 'tests' ? maxTestsPerDay : use === 'notifications' ? settings.notificationEmailsPerDay : ofChannel
  const key = `delivery ${use} ${channel}`
  return [{ key, most, seconds: day }, ...(country ? [{ key: `${key} ${country.code}`, most: country.most, seconds: day }] : [])]
}

function halfLimit(limit: AttemptLimit): AttemptLimit {
  return { ...limit, most: Math.ceil(limit.most / 2) }
}

/** Refuses a channel without a provider. */
export function assertProvider(settings: Settings, channel: Channel): void {
  if (!setting.canSend(settings, channel)) throw channel === 'email' ? NoEmails() : NoTexts()
}

export type Country = { code: string; most: number }

/** The countries that text messages are sent to, each by its calling code, which may include the first digits of its numbers. */
export function countriesIn({ smsCountries }: Settings): Country[] {
  return smsCountries.map((line) => {
    const [code = '', most = ''] = line.split(' ')
    return { code, most: Number(most) }
  })
}

/** The country of a number. Refuses one that nothing is sent to. */
export function countryOf(to: string, settings: Settings): Country {
  const [longest] = countriesIn(settings)
    .filter(({ code }) => to.startsWith(`+${code}`))
    .sort((one, other) => other.code.length - one.code.length)
  if (!longest) throw CountryNotServed()
  return longest
}

/** An address masked for others. */
export function masked(to: string): string {
  const [name = '', domain] = to.split('@')
  return domain === undefined ? `${to.slice(0, 3)}****${to.slice(-4)}` : `${[...name][0]}***@${domainToUnicode(domain)}`
}

/** The lookup hash of an address. */
export function hashOf(to: string): Buffer {
  return keyedHash('delivery', to.toLowerCase())
}

export function contentOf({ effect_key, content }: { effect_key: string; content: Buffer }): Content {
  return JSON.parse(unseal(sealContext(effect_key), content).toString())
}

/** Drops queued messages that were sealed with a lost key. */
export async function purgeUndecryptable(tx: Db): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ state: 'failed', content: null, settled_at: new Date(), error: 'The key it was sealed with is lost' })
    .where('state', '=', 'waiting')
    .execute()
}

function sealContext(effectKey: string): SealContext {
  return { purpose: 'delivery', row: effectKey }
}
