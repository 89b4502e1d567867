import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, conversation, conversations, goOn, type Piece } from '#assistant/contract.ts'
import { aConversation, aProvider, streams, withModel, type Provider, type Script } from '#assistant/testing/factories.ts'
import { baseInfo } from '#setting/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { asMember } from '#message/server/message.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, picture, says } from '#writing/testing/factories.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { settledIn } from '#search/testing/engine-suite.ts'

let forum: Forum
let provider: Provider
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  provider = await aProvider(() => ({ says: ['Hello ', 'there.'] }))
  await withModel(forum.database, provider)
})

beforeEach(async () => {
  provider.does(() => ({ says: ['Hello ', 'there.'] }))
  provider.requests.length = 0
  mei = await forum.member()
})

/** The kinds of the received pieces; consecutive texts count as one. */
function kindsOf(pieces: readonly Piece[]): string[] {
  return pieces.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1])
}

test('a member asks, the answer comes in pieces, and the conversation is kept for them alone', async () => {
  expect((await mei.call(baseInfo, {})).aiAssistantParameter).toEqual({ allowChat: true })
  const { pieces, text, refused } = await streams(mei, ask, { prompt: 'Good morning?' })
  expect(refused).toBeNull()
  expect(text).toBe('Hello there.')
  expect(kindsOf(pieces)).toEqual(['begun', 'text', 'turn'])
  expect(pieces.at(-1)?.turn).toMatchObject({ prompt: 'Good morning?', answer: 'Hello there.', state: 'finished', failure: null })
  const [mine] = (await mei.call(conversations, {})).conversations
  expect(mine?.title).toBe('Good morning?')
  expect((await mei.call(conversation, { conversationId: mine?.id ?? '' })).turns).toHaveLength(1)
  const other = await forum.member()
  expect((await other.tryCall(conversation, { conversationId: mine?.id ?? '' })).status).toBe(404)
  expect((await other.tryCall(ask, { conversationId: mine?.id ?? '', prompt: 'And now?' })).status).toBe(404)
})

test('turns come in their order, even if the number of one has more digits than that before it', async () => {
  const { app } = forum.database
  const conversationId = await aConversation(forum.database, mei.id, [])
  const rows = ['999998', '999999', '1000000', '1000001'].map(
    (id) => sql`(${id}::bigint, ${conversationId}::bigint, ${id}, 'Yes.', 'finished', now())`,
  )
  const add = sql`insert into assistant_turn (id, conversation_id, prompt, answer, state, ended_at) overriding system value values ${sql.join(rows)}`
  await asMember(app, mei.id, (as) => add.execute(as))
  const prompts = (await mei.call(conversation, { conversationId })).turns.map(({ prompt }) => prompt)
  expect(prompts).toEqual(['999998', '999999', '1000000', '1000001'])
})

test('the model searches with the reader’s access and cites its results; inaccessible posts are left out', async () => {
  const topicId = await aTopic(mei, tagId, { title: 'Brewing oolong at dawn' })
  await aComment(mei, topicId)
  const closed = await aClosedTag(forum.database)
  await settledIn(forum.database)
  provider.does(({ messages, tools }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { calls: { name: tools?.[0]?.function.name ?? '', input: { query: 'oolong' } } }
    const [hit] = JSON.parse(String(last.content)) as { address: string }[]
    return { says: [`See [this](${hit?.address}) and [that](https://evil.example/x).`] }
  })
  const { pieces } = await streams(mei, ask, { prompt: 'How do I brew oolong?' })
  expect(kindsOf(pieces)).toEqual(['begun', 'looking', 'source', 'text', 'turn'])
  const turn = pieces.at(-1)?.turn
  expect(turn?.sources).toEqual([{ number: 1, title: 'Brewing oolong at dawn', path: `/thread?topicId=${topicId}` }])
  expect(turn?.answer).toBe(`See [this](/thread?topicId=${topicId}) and that.`)
  expect(closed).toBeDefined()
})

test('an answer that broke off is stored and can be continued', async () => {
  provider.does((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const half = `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta: { content: 'The first half' } }] })}\n\n`
    response.write(half, () => response.destroy())
    return null
  })
  const { pieces } = await streams(mei, ask, { prompt: 'Tell me.' })
  const turn = pieces.at(-1)?.turn
  expect(turn).toMatchObject({ answer: 'The first half', state: 'failed', failure: expect.stringContaining('was interrupted') })
  provider.does(() => ({ says: [', and the second.'] }))
  const more = await streams(mei, goOn, { turnId: turn?.id ?? '' })
  expect(more.pieces.at(-1)?.turn).toMatchObject({ answer: 'The first half, and the second.', state: 'finished' })
})

test('a failure is shown the same after the page is loaded again', async () => {
  const topicId = await aTopic(mei, tagId)
  await forum.database.app
    .updateTable('topic')
    .set({ body: '{"type":"doc","content":[{"type":"image"}]}' })
    .where('id', '=', topicId)
    .execute()
  provider.does(() => ({ calls: { name: 'read_thread', input: { topicId } } }))
  const { pieces, refused } = await streams(mei, ask, { prompt: 'What is it about?' })
  const { conversationId = '' } = pieces[0] ?? {}
  const [turn] = (await mei.call(conversation, { conversationId })).turns
  const failureBody = refused?.body as { message: string } | undefined
  expect(failureBody?.message).toMatch(/\w/)
  expect(turn).toMatchObject({ state: 'failed', failureCode: 'base.broken', failure: failureBody?.message })
})

const reads =
  (topicId: string, fromFloor: number | null, says: string): Script =>
  ({ messages }) =>
    messages.at(-1)?.role === 'tool' || fromFloor === null
      ? { says: [says] }
      : { calls: { name: 'read_thread', input: { topicId, fromFloor } } }

test('a reader is told of a long thread that was read in part, and of no whole one', async () => {
  const topicId = await aTopic(mei, tagId)
  for (let floor = 1; floor <= 6; floor++) await aComment(mei, topicId, { body: says('x'.repeat(5_500)) })
  provider.does(reads(topicId, 1, 'Long.'))
  const half = await streams(mei, ask, { prompt: 'What do they say?' })
  expect(half.pieces.at(-1)?.turn?.leftOut).toEqual(['thread'])
  const looks = [1, 5]
  provider.does(() => {
    const fromFloor = looks.shift()
    return fromFloor === undefined ? { says: ['All.'] } : { calls: { name: 'read_thread', input: { topicId, fromFloor } } }
  })
  const whole = await streams(mei, ask, { prompt: 'What do they all say?' })
  expect(whole.pieces.at(-1)?.turn?.leftOut).toEqual([])
})

async function aPicture(): Promise<string> {
  const sent = await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })
  return sent.json<{ file: string }>().file
}

test('an answer shows the pictures of the posts it read, and no others', async () => {
  const [mine, other] = [await aPicture(), await aPicture()]
  const topicId = await aTopic(mei, tagId, { body: documentWith(...says('A cup.').content, picture(mine)) })
  const seen = `![A cup](file:${mine}#8x8)`
  provider.does(reads(topicId, 1, `${seen}\n\n![no](file:${other}#8x8)\n\n![far](https://evil.example/x.png)`))
  const { pieces } = await streams(mei, ask, { prompt: 'Show it.' })
  const turn = pieces.at(-1)?.turn
  expect(turn?.sources).toMatchObject([{ pictures: [mine] }])
  expect(turn?.answer).toBe(`${seen}\n\nno\n\nfar`)
})
