import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aClosedTag, aTag, aTagInAClosedGroup } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const secret = 'canary'
let forum: Forum
let outputs: string[]
let hidden: string[]

beforeAll(async () => {
  forum = await aForum()
  const { database } = forum
  const [mei, lin] = await Promise.all([forum.member(`${secret}_mei`), forum.member('lin_lin')])
  await mei.call(editProfile, { nickname: 'Mei', showsActivity: true })
  const open = await aTag(database, { name: 'Open' })
  const closed = await aClosedTag(database, { name: `${secret} room` })
  await closed.admit(mei.id)
  const draft = { title: `A ${secret}`, body: says(`Says ${secret}.`) }
  const below = await aTagInAClosedGroup(database, { name: `${secret} cabinet` })
  await below.admit(mei.id)
  const [inside, inCabinet] = [await aTopic(mei, closed.tagId, draft), await aTopic(mei, below.tagId, draft)]
  const [removed, pending] = [await aTopic(mei, open, draft), await aTopic(mei, open, draft)]
  await aTopic(mei, open, { title: 'For everybody' })
  hidden = [inside, inCabinet, removed, pending]
  outputs = ['/feed', `/feed?tagId=${open}`, `/feed?userId=${mei.id}`, `/feed?userId=${lin.id}`, `/feed?tagId=${closed.tagId}`]
  outputs.push(`/feed?tagId=${below.tagId}`, `/feed?tagId=${below.groupId}`)
  outputs.push('/sitemap.xml', '/sitemap/pages.xml', '/sitemap/topics-1.xml.gz', '/robots.txt', '/llms.txt', '/sitemap/pages.xml?x=1')
  // Cached once with all of it, so that the removals must invalidate it.
  for (const url of outputs) await read(url)
  await mei.call(removeTopic, { topicId: removed })
  await transact(database, async (tx) => {
    await tx.updateTable('topic').set({ status: 'pending' }).where('id', '=', pending).execute()
    invalidate(tx, 'tagCounts', 'titles')
  })
})

async function read(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await forum.app.inject({ url, headers, remoteAddress: '10.7.7.7' })
  return url.endsWith('.gz') ? gunzipSync(answer.rawPayload).toString() : answer.body
}

test('a closed, removed or pending post is nowhere, nor an account name behind a nickname', async () => {
  const texts = await Promise.all(outputs.map((url) => read(url)))
  expect(outputs.filter((_, index) => texts[index]?.includes(secret))).toEqual([])
  const led = hidden.map((id) => new RegExp(`topicId=${id}\\b|topic/${id}\\b`))
  expect(outputs.filter((_, index) => led.some((one) => one.test(texts[index] ?? '')))).toEqual([])
  expect(texts[0]).toContain('For everybody')
})

test('a member with more rights gets no more here', async () => {
  const mei = await forum.member()
  const more = { authorization: `Bearer ${mei.pair?.accessToken},${mei.pair?.refreshToken}` }
  for (const url of outputs.filter((one) => !one.startsWith('/robots'))) expect(await read(url, more)).toBe(await read(url))
})
