import * as attempts from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { TooManyTriesByOthers } from '#hidden-part/contract.ts'

const hour = 3_600
const day = 24 * hour

/** A member's wrong guesses per day over all topics. The database counts a lower limit for each topic. */
const maxPerMember = 100
/** Wrong guesses in one topic, from one network and overall. */
const maxPerNetwork = { perHour: 20, perDay: 60 }
const maxOverall = { perHour: 100, perDay: 300 }
/** Beyond the shared limits each member keeps this many tries per day: attackers slow other members down but lock no one out. */
const freeTries = 2

type Guess = { topicId: string; member: Member; client: ClientInfo }

/** Counts a try before the comparison, or refuses it. The tries of one member in one topic must be serialized. */
export async function count(tx: Db, guess: Guess): Promise<void> {
  const { member, own, shared } = countersOf(guess)
  const isFree = (await attempts.current(tx, own, new Date(Date.now() - day * 1_000))) < freeTries
  const seconds = await attempts.take(tx, isFree ? [member] : [member, ...shared])
  if (seconds > 0) throw TooManyTriesByOthers({ seconds, minutes: Math.ceil(seconds / 60) })
  await attempts.increment(tx, [own, ...(isFree ? keysOf(shared) : [])])
}

/** Takes a correct try off all counters. */
export async function uncount(tx: Db, guess: Guess): Promise<void> {
  const { member, own, shared } = countersOf(guess)
  await attempts.undoLast(tx, [own, ...keysOf([member, ...shared])])
}

function countersOf({ topicId, member: { id }, client: { ip } }: Guess) {
  const limitsOf = (key: string, { perHour, perDay }: { perHour: number; perDay: number }): attempts.AttemptLimit[] => [
    { key, most: perHour, seconds: hour },
    { key, most: perDay, seconds: day },
  ]
  const key = `hidden part ${topicId}`
  // On a loopback address all clients may come through one reverse proxy.
  const network = isLoopback(ip) ? [] : limitsOf(attempts.networkKey(key, ip), maxPerNetwork)
  return {
    member: { key: `hidden part member ${id}`, most: maxPerMember, seconds: day },
    own: `${key} member ${id}`,
    shared: [...network, ...limitsOf(key, maxOverall)],
  }
}

function keysOf(limits: readonly attempts.AttemptLimit[]): string[] {
  return [...new Set(limits.map(({ key }) => key))]
}
