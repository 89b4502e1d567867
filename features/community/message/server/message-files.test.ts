import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { beginUpload, fileKeys, fileKeysForStaff, finishUpload } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { conversations, remove, report, send } from '#message/contract.ts'
import { talking } from '#message/testing/factories.ts'
import { messageReportList, openMessageReport } from '#message/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { PictureNotYours } from '#writing/contract.ts'
import { documentWith, paragraph, picture } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  await talking(mei, tom)
})

async function aPicture(by: Person): Promise<string> {
  const answer = await sendFile(by, '/file/picture', { bytes: await plain({ width: 400 }).png().toBuffer() })
  return answer.json().file
}

async function aFile(by: Person): Promise<string> {
  const { file: id, url, headers } = await by.call(beginUpload, { kind: 'attachment', name: 'list.txt', bytes: 8 })
  await forum.app.inject({ method: 'PUT', url, headers, payload: Buffer.from('A secret') })
  await by.call(finishUpload, { file: id })
  return id
}

async function shows(...ids: string[]): Promise<string> {
  const body = documentWith(paragraph({ type: 'text', text: 'Look' }), ...ids.map(picture))
  return (await tom.call(send, { userId: mei.id, body, key: randomUUID() })).message.id
}

async function sendsFile(id: string): Promise<string> {
  const body = documentWith({ type: 'file', attrs: { file: id, name: 'list.txt', bytes: 8 } })
  return (await tom.call(send, { userId: mei.id, body, key: randomUUID() })).message.id
}

async function keyOf(who: Visitor, id: string, call: typeof fileKeys | typeof fileKeysForStaff = fileKeys): Promise<string | null> {
  const { body } = await who.tryCall(call, { files: [id] })
  return body.keys?.[0]?.key ?? null
}

const status = async (id: string, key: string | null = null, more = '', headers: Record<string, string> = {}) =>
  (await forum.app.inject({ url: `/file/${id}?${key === null ? '' : `key=${key}`}${more}`, headers })).statusCode

test('a picture in a message is visible to its two members, in both sizes, and to no one else, staff included', async () => {
  const id = await aPicture(tom)
  await shows(id)
  for (const who of [mei, tom]) {
    const key = await keyOf(who, id)
    expect([await status(id, key), await status(id, key, '&w=240')]).toEqual([200, 200])
  }
  for (const who of [bo, forum.visitor()]) expect(await keyOf(who, id)).toBeNull()
  expect(await keyOf(chief, id, fileKeysForStaff)).toBeNull()
  for (const more of ['', '&w=240', '&w=240&as=avif']) expect(await status(id, null, more)).toBe(404)
})

test('a message with nothing but a file is called by it in the list', async () => {
  const last = async () => (await mei.call(conversations, {})).conversations[0]?.last
  await sendsFile(await aFile(tom))
  expect(await last()).toMatchObject({ text: 'list.txt', file: 'list.txt' })
  await shows(await aPicture(tom))
  expect(await last()).toMatchObject({ text: 'Look', file: null })
})

test('a file is visible to its two members alone, too, and so is a part of it', async () => {
  const id = await aFile(tom)
  await sendsFile(id)
  const key = await keyOf(mei, id)
  expect(await status(id, key, '', { range: 'bytes=0-3' })).toBeLessThan(300)
  expect(await status(id, null, '', { range: 'bytes=0-3' })).toBe(404)
  expect(await keyOf(bo, id)).toBeNull()
})

test('a member who deletes their copy loses access, with an older key too; after both copies the file is removed', async () => {
  const id = await aPicture(tom)
  const messageId = await shows(id)
  const key = await keyOf(mei, id)
  await mei.call(remove, { userId: tom.id, messageId })
  expect([await status(id, key), await keyOf(mei, id)]).toEqual([404, null])
  const { app } = forum.database
  const isStored = async () =>
    (await app.selectFrom('file').select('unused_since').where('id', '=', id).executeTakeFirstOrThrow()).unused_since === null
  expect(await isStored()).toBe(true)
  await tom.call(remove, { userId: mei.id, messageId })
  expect(await isStored()).toBe(false)
})

test('a member cannot send a picture uploaded by another', async () => {
  const id = await aPicture(bo)
  const body = documentWith(picture(id))
  expect(await tom.isRefused(send, { userId: mei.id, body, key: randomUUID() }, PictureNotYours)).toBe(true)
})

test('staff see it in a report, though both have deleted it', async () => {
  const id = await aPicture(tom)
  const messageId = await shows(id)
  await mei.call(report, { messageId, reason: 'Look at this' })
  await mei.call(remove, { userId: tom.id, upTo: messageId })
  await tom.call(remove, { userId: mei.id, upTo: messageId })
  const { rows } = await chief.call(messageReportList, {})
  const { messages } = await chief.call(openMessageReport, { reportId: rows[0]?.id ?? '' })
  const html = messages.flatMap(({ segments }) => segments.map((segment) => segment.html)).join()
  const key = new RegExp(`${id}\\?key=([\\w.-]+)`).exec(html)?.[1] ?? ''
  expect(await status(id, key)).toBe(200)
})
