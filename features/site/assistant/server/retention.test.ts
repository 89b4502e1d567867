import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, conversation } from '#assistant/contract.ts'
import { aProvider, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { summarise, translate } from '#assistant/generated-contract.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let provider: Provider
let mei: Person
let tagId: string
beforeAll(async () => {
  forum = await aForum()
  provider = await aProvider(() => ({ says: ['Three minutes.'] }))
  await withModel(forum.database, provider)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  mei = await forum.member()
  provider.does(() => ({ says: ['Three minutes.'] }))
  provider.requests.length = 0
})

test('an answer that is asked for again stays when no other comes', async () => {
  const { pieces } = await streams(mei, ask, { prompt: 'How long?' })
  const turn = pieces.at(-1)?.turn
  const conversationId = pieces[0]?.conversationId ?? ''
  await streams(mei, ask, { prompt: 'And then?', conversationId })
  provider.does((_, response) => {
    response.writeHead(401).end('Oops')
    return null
  })
  await streams(mei, ask, { prompt: 'How long exactly?', conversationId, turnId: turn?.id })
  const { turns } = await mei.call(conversation, { conversationId })
  expect(turns.map(({ prompt, answer, state }) => [prompt, answer, state])).toEqual([
    ['How long?', 'Three minutes.', 'finished'],
    ['And then?', 'Three minutes.', 'finished'],
    ['How long exactly?', '', 'failed'],
  ])
  provider.does(() => ({ says: ['Four.'] }))
  provider.requests.length = 0
  await streams(mei, ask, { prompt: 'How long really?', conversationId, turnId: turn?.id })
  expect(provider.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual(['How long really?'])
  const after = await mei.call(conversation, { conversationId })
  expect(after.turns.map(({ prompt, answer }) => [prompt, answer])).toEqual([['How long really?', 'Four.']])
})

test('a translation reads nothing invisible', async () => {
  const topicId = await aTopic(await forum.member(), tagId, {
    title: 'Oolong',
    body: fromMarkdown('Hello.\u{e0049}\u{e0067}\u{e006e} \u200b\u2060\u202eevil\u202c'),
  })
  await streams(mei, translate, { kind: 'topic', postId: topicId, into: 'zh' })
  expect(JSON.stringify(provider.requests)).not.toMatch(/[\u200b\u2060\u202e\u{e0000}-\u{e0fff}]/u)
})

test('the summary of a stand-in is made again when there is a model', async () => {
  const { app } = forum.database
  await app.updateTable('assistant_model').set({ is_stand_in: true }).execute()
  const topicId = await aTopic(mei, tagId, { title: 'Oolong' })
  const summed = async () => (await streams(mei, summarise, { topicId })).pieces.at(-1)?.made
  expect(await summed()).toMatchObject({ isStandIn: true, isKept: false })
  expect(await summed()).toMatchObject({ isStandIn: true, isKept: true })
  await app.updateTable('assistant_model').set({ is_stand_in: false }).execute()
  expect(await summed()).toMatchObject({ isStandIn: false, isKept: false, text: 'Three minutes.' })
  expect(await summed()).toMatchObject({ isStandIn: false, isKept: true })
})
