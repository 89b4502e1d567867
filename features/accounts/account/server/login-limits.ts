import { TooManyLogins } from '#account/contract.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import * as attempts from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import { perProgram } from '#base/server/program.ts'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import type { RunInSeparateTransaction, ClientInfo } from '#base/server/http/route.ts'
import { hashOf } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import * as setting from '#setting/server/setting.ts'

const hour = 3_600
// Not limited, but counted: a captcha is due after a few failures.
const noLimit = 1_000_000
/** How many tries under each key this process compares at the moment. They are counted as wrong already. */
const underWayOf = perProgram(() => new Map<string, number>())
const day = 24 * hour

const accountKeyOf = (accountKey: string) => `login account ${accountKey}`

/** The key of a network's failed logins, shared with the login of staff. */
export const networkKeyOf = ({ ip }: ClientInfo) => attempts.networkKey('login', ip)

/** The account under attack: the typed identifier in its canonical form, and its member, if there is one. */
type LoginAccount = { key: string; memberId: string | null }

export type FailureCounter = { key: string; isKnown: boolean }

/** The key under which failures are counted. A browser that logged in before has a key of its own, which strangers cannot fill. */
export async function failureCounterFor(db: Db, { key, memberId }: LoginAccount, client: ClientInfo): Promise<FailureCounter> {
  const isKnown = await knownBrowser.isKnown(db, memberId, client)
  return { key: isKnown ? `${accountKeyOf(key)} ${hashOf(client.csrf).toString('base64url').slice(0, 22)}` : accountKeyOf(key), isKnown }
}

/**
 * Whether so many logins failed from this network or under this key, within a minute or slowly within an hour, that a captcha is due.
 * Attempts that this process is still comparing are not failures.
 */
export async function needsCaptcha(db: Db, client: ClientInfo, key?: string): Promise<boolean> {
  const { loginCaptchaAfter } = await setting.all(db)
  const keys = [networkKeyOf(client), ...(key ? [key] : [])]
  const inFlight = underWayOf(db)
  const mostOf = (one: string, failures: number) => failures + (inFlight.get(one) ?? 0)
  const slowly = key ? [{ key, most: mostOf(key, loginCaptchaAfter * 5), seconds: hour }] : []
  const quickly = keys.map((one) => ({ key: one, most: mostOf(one, loginCaptchaAfter), seconds: 60 }))
  return (await attempts.retryAfter(db, [...quickly, ...slowly])) > 0
}

type LoginAttempt = {
  db: Db
  counter: FailureCounter
  client: ClientInfo
  inSeparateTransaction: RunInSeparateTransaction
  refusal?: typeof TooManyLogins
}

/**
 * Runs a comparison of a password. The attempt counts as a failure beforehand, so that of many parallel attempts no more are compared than
 * may fail; it is uncounted if the password is right, or nothing was compared.
 */
export async function countingFailures<T extends { isRight: boolean }>(
  { db, counter, client, inSeparateTransaction, refusal }: LoginAttempt,
  compare: () => Promise<T>,
): Promise<T> {
  const keys = [networkKeyOf(client), counter.key]
  countInFlight(db, keys, 1)
  try {
    await inSeparateTransaction((tx) => countFailure(tx, counter, client, refusal))
    const compared = await compare().catch((error: unknown) => ({ error }))
    const isFailure = !('error' in compared) && !compared.isRight
    if (!isFailure) await inSeparateTransaction((tx) => attempts.undoLast(tx, keys))
    if ('error' in compared) throw compared.error
    return compared
  } finally {
    countInFlight(db, keys, -1)
  }
}

function countInFlight(db: Db, keys: readonly string[], by: 1 | -1): void {
  const inFlight = underWayOf(db)
  for (const key of keys) {
    const count = (inFlight.get(key) ?? 0) + by
    if (count > 0) inFlight.set(key, count)
    else inFlight.delete(key)
  }
}

/**
 * Refuses after more failures than forgetting explains, whether there is such an account or not. A busy network does not lock out members
 * whose browser logged in before.
 */
async function countFailure(tx: Db, { key, isKnown }: FailureCounter, client: ClientInfo, tooMany = TooManyLogins): Promise<void> {
  const { failedLoginsPerNetworkPerHour } = await setting.all(tx)
  // On the machine itself all visitors may come through one reverse proxy.
  const most = isKnown || isLoopback(client.ip) ? noLimit : failedLoginsPerNetworkPerHour
  const seconds = await attempts.take(tx, [...(await accountLimits(tx, key)), { key: networkKeyOf(client), most, seconds: hour }])
  if (seconds > 0) throw tooMany({ seconds, minutes: Math.ceil(seconds / 60) })
}

async function accountLimits(db: Db, key: string): Promise<attempts.AttemptLimit[]> {
  const { failedLoginsPerHour } = await setting.all(db)
  return [
    { key, most: failedLoginsPerHour, seconds: hour },
    { key, most: failedLoginsPerHour * 4, seconds: day },
  ]
}

/** Notifies staff when a failure reached the limit, once a day. `speaker` is the member of a staff account. */
export async function notifyOfFailures(tx: Db, { key }: FailureCounter, memberId: string | null): Promise<void> {
  if (memberId === null || (await attempts.retryAfter(tx, await accountLimits(tx, key))) === 0) return
  const today = new Date().toISOString().slice(0, 10)
  await contact.notifyAllAddresses(tx, memberId, 'passwordTried', { effectKey: `passwordTried ${memberId} ${today}` })
}

/** Resets the failures that strangers caused on this account. */
export async function clearFailures(tx: Db, accountKey: string): Promise<void> {
  await attempts.reset(tx, accountKeyOf(accountKey))
}
