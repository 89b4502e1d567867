import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { aTag } from '#tag/testing/factories.ts'
import { seenTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { decayHeat } from '#topic/server/heat.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { recordView, views } from '#topic/server/views.ts'

let forum: Forum
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  mei = await forum.member()
  tagId = await aTag(forum.database)
})

test('a visitor who looks again within half an hour counts once', async () => {
  const topicId = await aTopic(mei, tagId)
  const visitor = forum.visitor()
  const sameBrowserElsewhere = forum.visitor()
  const otherBrowser = Object.assign(forum.visitor({ userAgent: 'other' }), { ip: visitor.ip })
  for (const who of [visitor, visitor, sameBrowserElsewhere, otherBrowser, mei, mei]) await look(who, topicId)
  await views.write(forum.database)
  await countsTo(topicId, '4')

  const from = {
    ip: '10.9.9.9',
    isLocal: false,
    userAgent: 'clock',
    origin: '',
    language: 'en',
    authorization: undefined,
    csrf: '',
  } as const
  const nobody = { id: null, may: () => false, where: () => ({ only: [] }), audience: '' }
  const minute = 60_000
  for (const at of [0, 29 * minute, 31 * minute]) {
    recordView(forum.database.app, topicId, nobody, from, Date.now() + at)
    await views.write(forum.database)
  }
  await countsTo(topicId, '6')
  // Another server, which knows of none of them.
  const other = openDatabase(addressesOf(forum.ownerUrl), { features, size: 1, minSize: 0, onLost: () => undefined })
  for (const at of [32 * minute, 62 * minute]) {
    recordView(other.app, topicId, nobody, from, Date.now() + at)
    await views.write(other)
  }
  await other.close()
  await countsTo(topicId, '7')
})

test('views warm a topic, and time cools it', async () => {
  const topicId = await aTopic(mei, tagId)
  for (let index = 0; index < 5; index++) await look(forum.visitor(), topicId)
  await views.write(forum.database)
  await countsTo(topicId, '5')
  const { heat } = await rowOf(topicId)
  expect(heat).toBeGreaterThan(0)

  const yesterday = new Date(Date.now() - 86_400_000)
  await forum.database.app.updateTable('topic').set({ published_at: yesterday }).where('id', '=', topicId).execute()
  await forum.database.app.transaction().execute(decayHeat)
  const later = (await rowOf(topicId)).heat
  expect(later).toBeGreaterThan(0)
  expect(later).toBeLessThan(heat / 5)
})

test('a topic that is not there has no views', async () => {
  expect((await forum.visitor().tryCall(seenTopic, { topicId: '999999' })).status).toBe(404)
  expect((await forum.visitor().tryCall(seenTopic, { topicId: 'x' })).status).toBe(400)
})

// The forum flushes its buffered views by itself, too, possibly at the same time.
async function countsTo(topicId: string, views: string): Promise<void> {
  await expect.poll(async () => (await rowOf(topicId)).view_count).toBe(views)
}

async function look(who: Visitor, topicId: string): Promise<void> {
  await who.call(seenTopic, { topicId })
}

function rowOf(topicId: string) {
  return forum.database.app.selectFrom('topic').select(['view_count', 'heat']).where('id', '=', topicId).executeTakeFirstOrThrow()
}
