import { TooManyLogins } from '#account/contract.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import * as attempts from '#base/server/attempts.ts'
import type { Db } from '#base/server/database.ts'
import { isLoopback } from '#base/server/rate-limit.ts'
import type { Apart, From } from '#base/server/route.ts'
import { hashOf } from '#base/server/secret.ts'
import * as setting from '#setting/server/setting.ts'

const hour = 3_600
const day = 24 * hour

const accountKeyOf = (accountKey: string) => `login account ${accountKey}`

/** What failed where: here, and where staff prove who they are. */
export const networkKeyOf = ({ ip }: From) => attempts.networkKey('login', ip)

/** Whose password is tried: what was typed, in its one spelling, and the account of that, if there is one. */
type Whose = { key: string; memberId: string | null }

/** The key under which failures are counted. A browser that logged in before has one of its own, which no stranger can fill. */
export async function keyFor(db: Db, { key, memberId }: Whose, from: From): Promise<{ key: string; isKnown: boolean }> {
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
export async function mustBeWithinLimits(db: Db, { key, isKnown }: { key: string; isKnown: boolean }, from: From): Promise<void> {
  const { failedLoginsAnHour, failedLoginsAnHourOfNetwork } = await setting.all(db)
  const ofAccount = [
    { key, most: failedLoginsAnHour, seconds: hour },
    { key, most: failedLoginsAnHour * 4, seconds: day },
  ]
  // On the machine itself everybody may come through one reverse proxy.
  const ofNetwork = isKnown || isLoopback(from.ip) ? [] : [{ key: networkKeyOf(from), most: failedLoginsAnHourOfNetwork, seconds: hour }]
  const seconds = await attempts.secondsToWait(db, [...ofAccount, ...ofNetwork])
  if (seconds > 0) throw TooManyLogins({ seconds, minutes: Math.ceil(seconds / 60) })
}

export async function countFailure(apart: Apart, key: string, from: From): Promise<void> {
  await apart((tx) => attempts.count(tx, [networkKeyOf(from), key]))
}
