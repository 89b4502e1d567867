import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { qrCode } from '#file/server/card-shapes.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { hides } from '#hidden-part/testing/factories.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { editTopic, removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

const forum = await aForum()
const tagId = await aTag(forum.database, { name: '泡茶' })
const tom = await forum.member('tom')
const someTopic = async (topic = {}) => aTopic(await forum.member(), tagId, topic)
const host = 'tea.example.org'

type CardParams = { commentId?: string; language?: string }
const ask = (topicId: string, params: CardParams = {}, headers = {}) =>
  forum.app.inject({ url: `/share/${topicId}/card.png?${new URLSearchParams(params)}`, headers: { host, ...headers } })
const statusOf = async (topicId: string, params?: CardParams) => (await ask(topicId, params)).statusCode
const card = async (topicId: string, params?: CardParams) => (await ask(topicId, params)).rawPayload

/** Whether the QR code on a card encodes this address. */
async function leadsTo(png: Buffer, address: string): Promise<boolean> {
  const { input, side } = await qrCode(address, 224)
  const { width, height } = await sharp(png).metadata()
  const there = { left: width - 72 - side, top: height - 56 - 224, width: side, height: side }
  const [drawn, code] = await Promise.all([sharp(png).extract(there), sharp(input)].map((one) => one.greyscale().raw().toBuffer()))
  return drawn !== undefined && code !== undefined && drawn.equals(code)
}

test.each(['雨天的白茶', 'Tea & <rain> 🍵', 'شاي أخضر', '𓀀', '一'.repeat(90), 'W'.repeat(90)])(
  'a topic has a card to send, with a code that leads to it: %s',
  async (title) => {
    const topicId = await someTopic({ title })
    const answer = await ask(topicId)
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/png' } })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1080 })
    expect(await leadsTo(answer.rawPayload, `http://${host}/thread?topicId=${topicId}`)).toBe(true)
  },
)

test('cards of a question, an answer and a comment have codes with their links', async () => {
  const questionId = await aQuestion(tom, tagId, { title: 'How hot?' })
  const [answerId, topicId] = [await aComment(tom, questionId, { body: says('80 degrees') }), await someTopic()]
  const commentId = await aComment(tom, topicId, { body: says('Well said') })
  expect(await leadsTo(await card(questionId), `http://${host}/question?questionId=${questionId}`)).toBe(true)
  const answer = await card(questionId, { commentId: answerId })
  expect(await leadsTo(answer, `http://${host}/question?questionId=${questionId}&commentId=${answerId}`)).toBe(true)
  expect(await leadsTo(await card(topicId, { commentId }), `http://${host}/thread?topicId=${topicId}&commentId=${commentId}`)).toBe(true)
})

test('a hidden part is on no card, and the public text is', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, tagId, {
    body: documentWith(paragraph({ type: 'text', text: 'Open' }), hides('points', '5', 'A secret')),
  })
  const edit = (open: string, hidden: string) =>
    mei.call(editTopic, {
      topicId,
      title: 'With a part',
      body: documentWith(paragraph({ type: 'text', text: open }), hides('points', '5', hidden)),
    })
  await edit('Open', 'A secret')
  const [first, beside] = [await card(topicId), (await forum.app.inject(`/share/${topicId}.png`)).rawPayload]
  await edit('Open', 'Another one, and longer')
  expect((await card(topicId)).equals(first)).toBe(true)
  expect((await forum.app.inject(`/share/${topicId}.png`)).rawPayload.equals(beside)).toBe(true)
  await edit('Open now', 'Another one, and longer')
  expect((await card(topicId)).equals(first)).toBe(false)
})

test('a post without access for visitors has no card', async () => {
  const [mei, lin] = [await forum.member(), await forum.member()]
  const few = await aClosedTag(forum.database)
  await few.admit(mei.id)
  const [closed, removed, open] = [await aTopic(mei, few.tagId), await aTopic(lin, tagId), await someTopic()]
  const [within, commentId] = [await aComment(mei, closed), await aComment(tom, open)]
  expect([await statusOf(removed), await statusOf(open, { commentId })]).toEqual([200, 200])
  await lin.call(removeTopic, { topicId: removed })
  await tom.call(removeRemark, { kind: 'comment', id: commentId })
  expect([await statusOf(closed), await statusOf(closed, { commentId: within })]).toEqual([403, 403])
  expect([await statusOf(removed), await statusOf(open, { commentId }), await statusOf('999999')]).toEqual([404, 404, 404])
  // An open thread gives no access to a comment of a closed one.
  expect(await statusOf(open, { commentId: within })).toBe(404)
  for (const commentId of ['0', 'x', '-1', '9'.repeat(30)]) expect(await statusOf(open, { commentId })).toBe(404)
})

test('a card is in the language it is asked for in, and with the picture that its author has now', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, tagId)
  const [zh, en] = [await card(topicId, { language: 'zh' }), await card(topicId, { language: 'en' })]
  expect(zh.equals(en)).toBe(false)
  expect((await card(topicId, { language: 'zh' })).equals(zh)).toBe(true)
  const bytes = await plain({ width: 80, height: 80 }, '#c23b2e').png().toBuffer()
  await sendFile(mei, '/user/control/updateAvatar', { bytes }, { x: '0', y: '0', width: '80', height: '80' })
  expect((await card(topicId, { language: 'zh' })).equals(zh)).toBe(false)
})

test('a card that has not changed is not sent again', async () => {
  const topicId = await someTopic()
  const { headers } = await ask(topicId)
  expect((await ask(topicId, {}, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
})

test('many requests at once for many cards are all answered', async () => {
  const topicIds = await Promise.all(Array.from({ length: 16 }, (_, n) => someTopic({ title: `Number ${n} of many` })))
  const answers = await Promise.all(topicIds.map((topicId) => ask(topicId)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})
