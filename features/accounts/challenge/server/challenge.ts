import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { networkKey, take, type AttemptLimit } from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { secretOf } from '#base/server/security/secret.ts'
import * as setting from '#setting/server/setting.ts'

/** The name of this feature's signing key; created when the program first starts. */
export const secrets = ['challenge'] as const

/**
 * A captcha, whose subject is itself, or a code, whose subject is the address it is sent to, in its canonical form. Valid for this purpose,
 * this subject and the browser that requested it.
 */
export type Challenge = { kind: 'captcha' | 'code'; purpose: string; subject: string }

export type Outcome = 'right' | 'wrong' | 'missing'

const lifetimes = { captcha: { minutes: 20, tries: 1 }, code: { minutes: 10, tries: 5 } }

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Creates a challenge in place of the earlier one. */
export async function make(tx: Db, challenge: Challenge, answer: string, from: Pick<ClientInfo, 'csrf'>): Promise<void> {
  const { minutes, tries } = lifetimes[challenge.kind]
  const values = {
    answer_hash: await hashOf(tx, challenge, answer),
    tries: 0,
    most_tries: tries,
    expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
  }
  await tx
    .insertInto('challenge')
    .values({ ...(await asStored(tx, challenge)), asker: from.csrf, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'purpose', 'subject', 'asker']).doUpdateSet(values))
    .execute()
}

type CodeOptions = Omit<Challenge, 'kind'> & {
  /** Names the browser or the network of the owner that asks; null for a stranger. */ ownedBy?: string | null
}

/**
 * Creates a code of six digits, to be sent. Returns the seconds to wait instead, where this address was sent a code a moment ago or many
 * within an hour or a day, as staff configured it, for any purpose, or where this client requested many.
 */
export async function makeCode(
  tx: Db,
  { ownedBy = null, ...about }: CodeOptions,
  client: ClientInfo,
): Promise<{ code: string } | { seconds: number }> {
  const { subject } = await asStored(tx, { kind: 'code', ...about })
  const seconds = await take(tx, await limitsOf(tx, subject, ownedBy, client))
  if (seconds > 0) return { seconds }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await make(tx, { kind: 'code', ...about }, code, client)
  return { code }
}

/**
 * Checks an answer. The attempt is counted before it is compared, so that parallel attempts cannot exceed the limit; the last wrong answer
 * and the right one consume the challenge. Run it in a transaction that commits in any case.
 */
export async function consume(tx: Db, challenge: Challenge, answer: string | undefined, from: Pick<ClientInfo, 'csrf'>): Promise<Outcome> {
  if (!answer || !challenge.subject) return 'missing'
  const { kind, purpose, subject } = await asStored(tx, challenge)
  const counted = await tx
    .updateTable('challenge')
    .set({ tries: sql`tries + 1` })
    .where('kind', '=', kind)
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('asker', '=', from.csrf)
    .where(sql<boolean>`expires_at > now() and tries < most_tries`)
    .returning(['answer_hash', sql<boolean>`tries = most_tries`.as('isLast')])
    .executeTakeFirst()
  if (!counted) return 'wrong'
  const isRight = timingSafeEqual(counted.answer_hash, await hashOf(tx, challenge, answer))
  if (isRight || counted.isLast) await remove(tx, { kind, purpose, subject }, from)
  return isRight ? 'right' : 'wrong'
}

/** Ends every code that was sent to an address, regardless of its requester and purpose. */
export async function endCodes(tx: Db, address: string): Promise<void> {
  const { kind, subject } = await asStored(tx, { kind: 'code', purpose: '', subject: address })
  await tx.deleteFrom('challenge').where('kind', '=', kind).where('subject', '=', subject).execute()
}

/** The stored hash of an answer. */
export async function hashOf(db: Db, { kind, subject }: Pick<Challenge, 'kind' | 'subject'>, answer: string): Promise<Buffer> {
  return createHmac('sha256', await secretOf(db, 'challenge'))
    .update(JSON.stringify([kind, subject, answer.toLowerCase()]))
    .digest()
}

// The table, or a backup, does not reveal the addresses that codes were sent to.
async function asStored(db: Db, challenge: Challenge): Promise<Challenge> {
  if (challenge.kind === 'captcha') return challenge
  const subject = createHmac('sha256', await secretOf(db, 'challenge'))
    .update(JSON.stringify(['subject', challenge.subject]))
    .digest('base64url')
  return { ...challenge, subject }
}

const maxOwnerBrowsers = 3

/**
 * A browser of the owner, and a network of theirs, have limits of their own, and the owner's browsers in one network share one: codes
 * requested by strangers use up none of them. All of them together get no more than three may.
 */
async function limitsOf(tx: Db, subject: string, ownedBy: string | null, client: ClientInfo): Promise<AttemptLimit[]> {
  const { verificationCodesPerDay, verificationCodesPerNetworkPerDay } = await setting.all(tx)
  const isOwners = ownedBy !== null
  const to = `code to ${subject}${isOwners ? ` by ${ownedBy}` : ''}`
  const by = networkKey(isOwners ? 'code of owner' : 'code', client.ip)
  return [
    ...(isOwners ? [{ key: `code to ${subject} by owner`, most: verificationCodesPerDay * maxOwnerBrowsers, seconds: day }] : []),
    { key: to, most: 1, seconds: minute },
    { key: to, most: Math.ceil(verificationCodesPerDay / 2), seconds: hour },
    { key: to, most: verificationCodesPerDay, seconds: day },
    { key: by, most: Math.max(5, Math.ceil(verificationCodesPerNetworkPerDay / 60)), seconds: minute },
    { key: by, most: Math.ceil(verificationCodesPerNetworkPerDay / 3), seconds: hour },
    { key: by, most: verificationCodesPerNetworkPerDay, seconds: day },
  ]
}

async function remove(tx: Db, { kind, purpose, subject }: Challenge, from: Pick<ClientInfo, 'csrf'>): Promise<void> {
  await tx
    .deleteFrom('challenge')
    .where('kind', '=', kind)
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('asker', '=', from.csrf)
    .execute()
}
