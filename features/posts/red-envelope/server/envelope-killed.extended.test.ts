import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { bookChecks, features } from '#apps/server/features.ts'
import { openDatabase, type Database } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { viaProxy, startProxy } from '#base/testing/database-proxy.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { aGiver, envelopeOf, opens, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import { openWaiting } from '#red-envelope/server/presence.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { wallet } from '#wallet/log-contract.ts'

// A server loses its database connection after each packet of its background work, and another server completes the work.
let forum: Forum
let tagId = ''
let chief: Staffer
let openers: Person[] = []

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
  openers = await Promise.all(Array.from({ length: 3 }, () => forum.member()))
})

const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)
const isOver = (id: string) =>
  sql`update red_envelope set ends_at = clock_timestamp() - interval '1 second' where id = ${id}`.execute(forum.database.app)

/** An envelope of five shares of ten points, with this many claims. */
async function anEnvelope(claims: number): Promise<{ giver: Person; id: string }> {
  const giver = await aGiver(forum, 1_000, 0)
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
  const id = await envelopeOf(forum, body.topicId)
  for (const who of openers.slice(0, claims)) expect((await opens(who, id)).status).toBe(200)
  return { giver, id }
}

type Work = {
  before: () => Promise<{ giver: Person; id: string }>
  does: (database: Database, id: string) => Promise<unknown>
  /** The giver's balance after the other server completed the work, and the sum of the openers. */
  leaves: [giver: number, openers: number]
}

const works: Record<string, Work> = {
  'paying what was claimed': { before: () => anEnvelope(3), does: payAll, leaves: [950, 30] },
  'returning what is left': {
    async before() {
      const its = await anEnvelope(2)
      await isOver(its.id)
      return its
    },
    does: endDue,
    leaves: [980, 20],
  },
  'taking what waited for the books': {
    async before() {
      await withEnvelopes(forum, { reviewTopics: 'everybody' })
      const giver = await aGiver(forum, 1_000, 0)
      const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
      await withEnvelopes(forum, { reviewTopics: 'nobody' })
      const { rows } = await chief.call(reviewQueue, {})
      await chief.call(freezeBooks, { reason: 'A look' })
      for (const { id: reviewId, version } of rows) await chief.call(approveReview, { reviewId, version })
      await chief.call(thawBooks, { reason: 'All is well' })
      return { giver, id: await envelopeOf(forum, body.topicId) }
    },
    does: openWaiting,
    leaves: [950, 0],
  },
}

const maxPackets = 80

test.each(Object.entries(works))(
  '%s, cut off after any packet, loses nothing and does nothing twice',
  async (_, work) => {
    let packets = 1
    while (await isCutOff(work, packets)) if (++packets > maxPackets) throw new Error('It does not come to an end')
    expect(packets).toBeGreaterThan(3)
  },
  600_000,
)

/** Returns false if the work ended before this many packets. */
async function isCutOff({ before, does, leaves }: Work, packets: number): Promise<boolean> {
  const had = await Promise.all(openers.map(points))
  const { giver, id } = await before()
  const wire = await startProxy(forum.ownerUrl)
  const { app, reader } = addressesOf(forum.ownerUrl)
  const other = openDatabase(
    { app: viaProxy(wire, app), reader: viaProxy(wire, reader) },
    { features, size: 2, minSize: 0, onLost: () => undefined },
  )
  const heldAnswer = wire.holdAnswer(packets).then(() => true)
  const completion = does(other, id).then(
    () => false,
    () => false,
  )
  const isHeld = await Promise.race([heldAnswer, completion])
  wire.close()
  await completion
  await other.close()
  await expect.poll(isIdle).toBe(true)
  expect([packets, await breachesIn(forum.database, bookChecks, null)]).toEqual([packets, []])
  await does(forum.database, id)
  await payAll(forum.database)
  const got = (await Promise.all(openers.map(points))).reduce((sum, now, place) => sum + now - (had[place] ?? 0), 0)
  // Balances include a claim immediately.
  expect([packets, await points(giver), got]).toEqual([packets, leaves[0], leaves[1]])
  expect([packets, await breachesIn(forum.database, bookChecks, null)]).toEqual([packets, []])
  return isHeld
}

// Whether all transactions of the interrupted server have ended.
async function isIdle(): Promise<boolean> {
  const { rows } = await sql<{ busy: string }>`select count(*) as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(forum.database.app)
  return rows[0]?.busy === '0'
}
