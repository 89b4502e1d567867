import { TooManyLogins } from '#account/contract.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import * as attempts from '#base/server/attempts.ts'
import type { Db } from '#base/server/database.ts'
import { isLoopback } from '#base/server/rate-limit.ts'
import type { From } from '#base/server/route.ts'
import { hashOf } from '#base/server/secret.ts'
import * as contact from '#contact/server/contact.ts'
import * as setting from '#setting/server/setting.ts'

const hour = 3_600
const day = 24 * hour

const accountKeyOf = (accountKey: string) => `login account ${accountKey}`

/** What failed where: here, and where staff prove who they are. */
export const networkKeyOf = ({ ip }: From) => attempts.networkKey('login', ip)

/** Whose password is tried: what was typed, in its one spelling, and the account of that, if there is one. */
type Whose = { key: string; memberId: string | null }

export type Counted = { key: string; isKnown: boolean }

/** The key under which failures are counted. A browser that logged in before has one of its own, which no stranger can fill. */
export async function keyFor(db: Db, { key, memberId }: Whose, from: From): Promise<Counted> {
  const isKnown = await knownBrowser.isKnown(db, memberId, from)
  return { key: isKnown ? `${accountKeyOf(key)} ${hashOf(from.csrf).toString('base64url').slice(0, 22)}` : accountKeyOf(key), isKnown }
}

/** Whether from this network or under this key so many logins failed within a minute, or slowly within an hour, that a captcha is due. */
export async function needsCaptcha(db: Db, from: From, key?: string): Promise<boolean> {
  const { loginCaptchaAfter } = await setting.all(db)
  const keys = [networkKeyOf(from), ...(key ? [key] : [])]
  const slowly = key ? [{ key, most: loginCaptchaAfter * 5, seconds: hour }] : []
  const quickly = keys.map((one) => ({ key: one, most: loginCaptchaAfter, seconds: 60 }))
  return (await attempts.secondsToWait(db, [...quickly, ...slowly])) > 0
}

/**
 * Refuses whoever tries after so many failures that nobody forgets a password as often, whether there is such an account or not, and before
 * anything is compared. A network with many people in it does not keep those out who logged in from their browser before.
 */
export async function mustBeWithinLimits(db: Db, { key, isKnown }: Counted, from: From, tooMany = TooManyLogins): Promise<void> {
  const { failedLoginsAnHourOfNetwork } = await setting.all(db)
  // On the machine itself everybody may come through one reverse proxy.
  const ofNetwork = isKnown || isLoopback(from.ip) ? [] : [{ key: networkKeyOf(from), most: failedLoginsAnHourOfNetwork, seconds: hour }]
  const seconds = await attempts.secondsToWait(db, [...(await ofAccount(db, key)), ...ofNetwork])
  if (seconds > 0) throw tooMany({ seconds, minutes: Math.ceil(seconds / 60) })
}

async function ofAccount(db: Db, key: string): Promise<attempts.Limit[]> {
  const { failedLoginsAnHour } = await setting.all(db)
  return [
    { key, most: failedLoginsAnHour, seconds: hour },
    { key, most: failedLoginsAnHour * 4, seconds: day },
  ]
}

/** Counts a failure. Where it was one too many, staff are told, once in a day: `speaker` is the member that they speak as. */
export async function countFailure(tx: Db, { key }: Counted, from: From, speaker: string | null): Promise<void> {
  await attempts.count(tx, [networkKeyOf(from), key])
  if (speaker === null || (await attempts.secondsToWait(tx, await ofAccount(tx, key))) === 0) return
  const today = new Date().toISOString().slice(0, 10)
  await contact.tellEverywhere(tx, speaker, 'passwordTried', { effectKey: `passwordTried ${speaker} ${today}` })
}

/** Lets strangers try the password of this account again. */
export async function forgetFailures(tx: Db, accountKey: string): Promise<void> {
  await attempts.forget(tx, accountKeyOf(accountKey))
}
