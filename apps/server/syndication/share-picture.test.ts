import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { changeLook, removeLook } from '#look/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { editTopic, removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database, { name: '泡茶' })
const mei = await forum.member('mei_lin')
const ask = (topicId: string) => forum.app.inject({ url: `/share/${topicId}.png` })

test.each(['雨天的白茶', 'Tea & <rain> 🍵', '🍵', '一'.repeat(90), 'W'.repeat(90)])(
  'the link to %j has a picture of its own',
  async (title) => {
    const answer = await ask(await aTopic(mei, tagId, { title }))
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/png' } })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    expect(answer.rawPayload.length).toBeLessThan(200_000)
  },
)

test('a picture shows the current title', async () => {
  const topicId = await aTopic(mei, tagId, { title: 'Before' })
  const before = await ask(topicId)
  await mei.call(editTopic, { topicId, title: 'After', body: says('The same.') })
  expect((await ask(topicId)).rawPayload.equals(before.rawPayload)).toBe(false)
})

test('a picture bears the icon of the site, if it has one', async () => {
  const chief = await aStaffer(forum)
  const topicId = await aTopic(await forum.member(), tagId, { title: 'With a mark' })
  const corner = async () => {
    const { rawPayload } = await ask(topicId)
    const { dominant } = await sharp(await sharp(rawPayload).extract({ left: 1040, top: 470, width: 64, height: 64 }).toBuffer()).stats()
    return dominant.r > dominant.g + 60
  }
  expect(await corner()).toBe(false)
  await sendFile(chief, changeLook.path, { bytes: await plain({ width: 256, height: 256 }, '#c23b2e').png().toBuffer() }, { which: 'icon' })
  expect(await corner()).toBe(true)
  await chief.call(removeLook, { which: 'icon' })
  expect(await corner()).toBe(false)
})

test('a topic without access for visitors has no picture', async () => {
  const lin = await forum.member()
  const few = await aClosedTag(forum.database)
  await few.admit(lin.id)
  const closed = await ask(await aTopic(lin, few.tagId, { title: 'For few' }))
  const removedTopicId = await aTopic(lin, tagId, { title: 'Gone' })
  expect((await ask(removedTopicId)).statusCode).toBe(200)
  await lin.call(removeTopic, { topicId: removedTopicId })
  expect([closed.statusCode, (await ask(removedTopicId)).statusCode, (await ask('999999')).statusCode]).toEqual([403, 404, 404])
  for (const name of ['../x', '0', '1e3', '1.png.png', '-1']) expect((await ask(name)).statusCode).not.toBe(200)
})
