import * as attempts from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { TriedByMany } from '#hidden-part/contract.ts'

const hour = 3_600
const day = 24 * hour

/** What one member may guess wrong in a day, over all topics. In one of them they have less, which the database counts. */
const ofMember = 100
/** What may be guessed wrong in one topic, from one network and by all together. */
const ofNetwork = { anHour: 20, aDay: 60 }
const ofAll = { anHour: 100, aDay: 300 }
/** Beyond that each member still has so many tries in a day: whoever guesses slows others down, and keeps nobody out. */
const freeTries = 2

type Guess = { topicId: string; member: Member; client: ClientInfo }

/** Counts a try before it is compared, or refuses it. Those of one member and topic must come one after the other. */
export async function count(tx: Db, guess: Guess): Promise<void> {
  const { member, own, shared } = countersOf(guess)
  const isFree = (await attempts.current(tx, own, new Date(Date.now() - day * 1_000))) < freeTries
  const seconds = await attempts.take(tx, isFree ? [member] : [member, ...shared])
  if (seconds > 0) throw TriedByMany({ seconds, minutes: Math.ceil(seconds / 60) })
  await attempts.increment(tx, [own, ...(isFree ? keysOf(shared) : [])])
}

/** What was right counts for nobody. */
export async function giveBack(tx: Db, guess: Guess): Promise<void> {
  const { member, own, shared } = countersOf(guess)
  await attempts.giveBack(tx, [own, ...keysOf([member, ...shared])])
}

function countersOf({ topicId, member: { id }, client: { ip } }: Guess) {
  const within = (key: string, { anHour, aDay }: { anHour: number; aDay: number }): attempts.Limit[] => [
    { key, most: anHour, seconds: hour },
    { key, most: aDay, seconds: day },
  ]
  const key = `hidden part ${topicId}`
  // On the machine itself everybody may come through one reverse proxy.
  const network = isLoopback(ip) ? [] : within(attempts.networkKey(key, ip), ofNetwork)
  return {
    member: { key: `hidden part member ${id}`, most: ofMember, seconds: day },
    own: `${key} member ${id}`,
    shared: [...network, ...within(key, ofAll)],
  }
}

function keysOf(limits: readonly attempts.Limit[]): string[] {
  return [...new Set(limits.map(({ key }) => key))]
}
