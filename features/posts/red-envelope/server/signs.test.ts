import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf, payClaims } from '#red-envelope/testing/factories.ts'
import { staffEnvelope } from '#red-envelope/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''
let [giver, mei, bo, tom] = [] as unknown as [Person, Person, Person, Person]

const none = { newAccounts: 0, sameNetwork: 0, sameBrowser: 0, giveBack: 0, inHints: 0 }

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

beforeEach(async () => {
  ;[giver, mei, bo, tom] = [await old(), await old(), await old(), await old()]
})

/** A long-standing member, with points and a network and browser of their own. */
async function old(): Promise<Person> {
  const person = await forum.member()
  await endow(forum.database, person.id, 1_000)
  await forum.database.app.deleteFrom('login_log').where('member_id', '=', person.id).execute()
  await forum.database.app.deleteFrom('known_browser').where('member_id', '=', person.id).execute()
  await sql`update member set joined_at = now() - interval '1 year', joined_ip = null where id = ${person.id}`.execute(forum.database.app)
  return person
}

async function openedBy(from: Person, ...openers: Person[]): Promise<string> {
  const { body } = await gives(from, tagId, { envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 9 })
  const envelopeId = await envelopeOf(forum, body.topicId)
  for (const opener of openers) await opener.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  await payClaims(forum)
  return envelopeId
}

const signs = async (envelopeId: string) => (await chief.call(staffEnvelope, { envelopeId })).signs

async function cameFrom(who: Person, ip: string, ago = '1 hour'): Promise<void> {
  await sql`insert into login_log (member_id, kind, ip, at, user_agent) values (${who.id}, 'login', ${ip}, now() - ${ago}::interval, '')`.execute(
    forum.database.app,
  )
}

async function loggedInBy(hash: string, ...people: Person[]): Promise<void> {
  for (const { id: member_id } of people)
    await forum.database.app
      .insertInto('known_browser')
      .values({ member_id, hash: Buffer.from(hash) })
      .execute()
}

test('members who have nothing in common show no sign', async () => {
  await cameFrom(mei, '192.0.2.1')
  await cameFrom(bo, '192.0.2.2')
  await loggedInBy('one', mei)
  await loggedInBy('two', bo)
  expect(await signs(await openedBy(giver, mei, bo))).toEqual(none)
})

test('an opener who registered a few days before is counted', async () => {
  await sql`update member set joined_at = now() - interval '3 days' where id = ${mei.id}`.execute(forum.database.app)
  expect(await signs(await openedBy(giver, mei, bo))).toEqual({ ...none, newAccounts: 1 })
})

test('openers in one network are counted, the giver’s too, and in IPv6 it is more than the address', async () => {
  await cameFrom(mei, '192.0.2.1')
  await cameFrom(bo, '192.0.2.1')
  await cameFrom(tom, '192.0.2.9')
  const envelopeId = await openedBy(giver, mei, bo, tom)
  expect(await signs(envelopeId)).toEqual({ ...none, sameNetwork: 2 })
  await cameFrom(tom, '2001:db8:1:2::1')
  await sql`update member set joined_ip = '2001:db8:1:2::99' where id = ${giver.id}`.execute(forum.database.app)
  expect(await signs(envelopeId)).toEqual({ ...none, sameNetwork: 3 })
})

test('a network that they shared long before says nothing', async () => {
  for (const who of [mei, bo]) await cameFrom(who, '198.51.100.7', '60 days')
  expect(await signs(await openedBy(giver, mei, bo))).toEqual(none)
})

test('an opener with a browser of another opener or of the giver is counted', async () => {
  await loggedInBy('shared', mei, giver)
  await loggedInBy('own', bo)
  const envelopeId = await openedBy(giver, mei, bo, tom)
  expect(await signs(envelopeId)).toEqual({ ...none, sameBrowser: 1 })
  await loggedInBy('both', bo, tom)
  expect(await signs(envelopeId)).toEqual({ ...none, sameBrowser: 3 })
})

test('an opener who gave the giver one too is counted, and so is one in an open hint with them', async () => {
  await openedBy(mei, giver)
  const envelopeId = await openedBy(giver, mei, bo)
  expect(await signs(envelopeId)).toEqual({ ...none, giveBack: 1 })
  const members = sql`(select array_agg(id order by id) from unnest(array[${giver.id}, ${bo.id}, ${tom.id}]::bigint[]) as id)`
  await sql`insert into collusion_hint (members, patterns, flows, shared) values (${members}, '[]', '[]', '[]')`.execute(forum.database.app)
  expect(await signs(envelopeId)).toEqual({ ...none, giveBack: 1, inHints: 1 })
})
