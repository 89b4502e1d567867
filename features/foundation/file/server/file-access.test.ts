import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { logout } from '#account/contract.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { editRemark, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { editTopicAsStaff, showVersion, topicForStaff } from '#content/contract.ts'
import { removePostscript, restorePostscript } from '#content/postscript-contract.ts'
import { fileKeys, fileKeysForStaff } from '#file/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as file from '#file/server/file.ts'
import { keyFor } from '#file/server/key.ts'
import { addFollow } from '#follow/contract.ts'
import { addPostscript } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aClosedTag, aRole, aTag, closedTags, giveRole, readerRights } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, picture, says } from '#writing/testing/factories.ts'

const forum = await aForum()
const { database, app } = forum
const open = await aTag(database)
const closed = await aClosedTag(database)
let mei: Person
let tom: Person
let stranger: Person

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
  stranger = await forum.member()
  for (const member of [mei, tom]) await giveRole(database, member.id, closed.roleId)
})

test('a public picture needs no key, and may be cached by all', async () => {
  const id = (await aTopicWith(mei, open)).file
  const answer = await app.inject(`/file/${id}`)
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=86400, s-maxage=60'])
})

test.each(closedTags)('a picture of a tag %s is missing without a key, which only its readers get', async (_, close) => {
  const { tagId, admit } = await close(database)
  for (const member of [mei, tom]) await admit(member.id)
  const id = (await aTopicWith(mei, tagId)).file
  for (const who of [stranger, forum.visitor()]) expect(await keyOf(who, id)).toBeNull()
  expect(await status(id)).toBe(404)
  for (const who of [mei, tom]) {
    const answer = await app.inject(`/file/${id}?key=${await keyOf(who, id)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d{1,3}$/)
    expect((await app.inject(`/file/${id}?w=240&key=${await keyOf(who, id)}`)).statusCode).toBe(200)
  }
})

test.each(closedTags)('pictures of followed threads come with keys in a tag %s, and as elsewhere in others', async (_, close) => {
  const { tagId, admit } = await close(database)
  const [author, reader] = [await forum.member(), await forum.member()]
  for (const member of [author, reader]) await admit(member.id)
  await reader.call(addFollow, { of: 'member', id: author.id })
  const [hidden, visible] = [await aTopicWith(author, tagId), await aTopicWith(author, open)]
  const { threads } = await reader.call(followedThreads, {})
  const srcOf = (topicId: string) => threads.find(({ topic }) => topic.id === topicId)?.topic.pictures[0]?.src ?? ''
  expect(srcOf(visible.topicId)).toBe(file.srcOf(visible.file))
  expect(srcOf(hidden.topicId)).toMatch(/\?key=/)
  expect((await app.inject(`${srcOf(hidden.topicId)}&w=240`)).statusCode).toBe(200)
})

test('a file without access is answered like a missing one', async () => {
  const id = (await aTopicWith(mei, closed.tagId)).file
  const [hidden, unknown] = [await app.inject(`/file/${id}`), await app.inject(`/file/f_${'A'.repeat(22)}`)]
  expect(hidden.body).toBe(unknown.body)
  expect(hidden.headers).toMatchObject({ ...unknown.headers, date: expect.any(String) })
  expect(hidden.headers['cache-control']).toBe('no-store')
  const { keys } = await stranger.call(fileKeys, { files: [id, `f_${'A'.repeat(22)}`] })
  expect(keys).toEqual([])
})

test('a key is for one file, one session and a few minutes', async () => {
  const [id, other] = [(await aTopicWith(mei, closed.tagId)).file, (await aTopicWith(mei, closed.tagId)).file]
  const key = (await keyOf(tom, id)) ?? ''
  expect(await status(id, key)).toBe(200)
  expect(await status(other, key)).toBe(404)
  const [session = '', time = '', signature = ''] = key.split('.')
  const later = (Number.parseInt(time, 36) + 60).toString(36)
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  for (const forged of [
    `${session}.${later}.${signature}`,
    `${Number(session) + 1}.${time}.${signature}`,
    `${session}.${time}.${flipped}`,
    `${session}.${time}.`,
    `${session}.${time}`,
    `.${time}.${signature}`,
    `${key}.x`,
    ' ',
    "' or 1=1 --",
    '%00',
  ])
    expect(await status(id, forged), forged).toBe(404)

  const { value } = await database.app.selectFrom('secret').select('value').where('name', '=', 'file key').executeTakeFirstOrThrow()
  const old = keyFor(value, id, session, new Date(Date.now() - 11 * 60_000))
  expect(await status(id, old)).toBe(404)
  expect(await status(id, keyFor(value, id, session))).toBe(200)
})

test('a key opens nothing once its holder lost the right, or ended the session', async () => {
  const id = (await aTopicWith(mei, closed.tagId)).file
  const [lee, kim] = [await forum.member(), await forum.member()]
  for (const member of [lee, kim]) await giveRole(database, member.id, closed.roleId)
  const [first, second] = [(await keyOf(lee, id)) ?? '', (await keyOf(kim, id)) ?? '']
  expect([await status(id, first), await status(id, second)]).toEqual([200, 200])
  await database.app
    .updateTable('role_holding')
    .set({ during: sql<string>`tstzrange(lower(during), clock_timestamp(), '[)')` })
    .where('member_id', '=', lee.id)
    .execute()
  await kim.call(logout, {})
  expect([await status(id, first), await status(id, second)]).toEqual([404, 404])
})

test('a key gives no access once its holder awaits approval', async () => {
  const id = (await aTopicWith(mei, closed.tagId)).file
  const key = (await keyOf(tom, id)) ?? ''
  expect(await status(id, key)).toBe(200)
  await database.app.insertInto('registration_request').values({ member_id: tom.id }).execute()
  expect(await status(id, key)).toBe(404)
})

test('a tag that is closed later closes its pictures too', async () => {
  const tagId = await aTag(database)
  const id = (await aTopicWith(mei, tagId)).file
  expect(await status(id)).toBe(200)
  await database.app.updateTable('tag').set({ is_restricted: true }).where('id', '=', tagId).execute()
  database.invalidations.announce(new Set(['role', 'tags']))
  expect(await status(id)).toBe(404)
  await giveRole(database, tom.id, await aRole(database, readerRights, tagId))
  expect(await status(id, (await keyOf(tom, id)) ?? '')).toBe(200)
})

test("a picture that no post shows yet is its owner's alone", async () => {
  const id = await aPicture(mei)
  expect(await status(id)).toBe(404)
  expect(await keyOf(tom, id)).toBeNull()
  expect(await status(id, (await keyOf(mei, id)) ?? '')).toBe(200)
})

test('a picture of a removed topic, comment or reply goes with it; one that another post shows stays', async () => {
  const topicId = await aTopic(mei, open)
  const [inComment, inReply, inBoth] = [await aPicture(mei), await aPicture(mei), await aPicture(mei)]
  const commentId = await aComment(mei, topicId, { body: documentWith(picture(inComment), picture(inBoth)) })
  const replyId = await aReply(mei, commentId, { body: documentWith(picture(inReply), picture(inBoth)) })
  expect(await statuses(inComment, inReply, inBoth)).toEqual([200, 200, 200])
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await statuses(inComment, inReply, inBoth)).toEqual([404, 200, 200])
  await mei.call(removeRemark, { kind: 'reply', id: replyId })
  expect(await statuses(inComment, inReply, inBoth)).toEqual([404, 404, 404])

  const topic = await aTopicWith(mei, open)
  await mei.call(removeTopic, { topicId: topic.topicId })
  expect(await status(topic.file)).toBe(404)
})

test('a picture of an earlier version is seen as long as that version is', async () => {
  const topicId = await aTopic(mei, open)
  const id = await aPicture(mei)
  const commentId = await aComment(mei, topicId, { body: documentWith(picture(id)) })
  await mei.call(editRemark, { kind: 'comment', id: commentId, body: says('without it') })
  expect(await status(id)).toBe(200)
})

test('a picture that is in nothing but versions withheld by staff is missing for all but its author and staff', async () => {
  const chief = await aStaffer(forum)
  const [withheld, stays] = [await aPicture(mei), await aPicture(mei)]
  const topicId = await aTopic(mei, open, { body: documentWith(picture(withheld), picture(stays)) })
  const { version } = await chief.call(topicForStaff, { topicId })
  const edit = { topicId, version, title: 'Mended', body: documentWith(picture(stays)), reason: '' }
  await chief.call(editTopicAsStaff, { ...edit, withholds: true })
  expect(await statuses(withheld, stays)).toEqual([404, 200])
  expect(await keyOf(tom, withheld)).toBeNull()
  expect(await status(withheld, (await keyOf(mei, withheld)) ?? '')).toBe(200)
  const { keys } = await chief.call(fileKeysForStaff, { files: [withheld] })
  expect(await status(withheld, keys[0]?.key)).toBe(200)
  const { versions } = await chief.call(topicForStaff, { topicId })
  await chief.call(showVersion, { kind: 'topic', versionId: versions[0]?.id ?? '', reason: '' })
  expect(await status(withheld)).toBe(200)
})

test('a picture of a postscript goes with it when staff take that off, and comes back with it', async () => {
  const chief = await aStaffer(forum)
  const [ofPostscript, stays, ofBody] = [await aPicture(mei), await aPicture(mei), await aPicture(mei)]
  const questionId = await aQuestion(mei, open, { body: documentWith(picture(ofBody)) })
  for (const id of [ofPostscript, stays]) await mei.call(addPostscript, { questionId, body: documentWith(picture(id)) })
  expect(await statuses(ofPostscript, stays, ofBody)).toEqual([200, 200, 200])
  const which = { topicId: questionId, number: 1, reason: 'Not here' }
  await chief.call(removePostscript, which)
  expect(await statuses(ofPostscript, stays, ofBody)).toEqual([404, 200, 200])
  await chief.call(restorePostscript, which)
  expect(await statuses(ofPostscript, stays, ofBody)).toEqual([200, 200, 200])
})

test("a picture of a pending topic is its author's, and an avatar everyone's", async () => {
  const { topicId, file: id } = await aTopicWith(mei, open)
  await database.app.updateTable('topic').set({ status: 'pending' }).where('id', '=', topicId).execute()
  expect(await status(id)).toBe(404)
  expect(await status(id, (await keyOf(mei, id)) ?? '')).toBe(200)
  expect(await keyOf(tom, id)).toBeNull()

  const avatar = await aPicture(mei)
  await database.app.updateTable('file').set({ kind: 'avatar' }).where('id', '=', avatar).execute()
  expect(await status(avatar)).toBe(200)
})

test('keys are for members, and not for hundreds of files at once', async () => {
  expect((await forum.visitor().tryCall(fileKeys, { files: [`f_${'A'.repeat(22)}`] })).status).toBe(401)
  expect((await mei.tryCall(fileKeys, { files: Array.from({ length: 101 }, () => `f_${'A'.repeat(22)}`) })).status).toBe(400)
  expect((await mei.tryCall(fileKeys, { files: ['../../etc/passwd'] })).status).toBe(400)
})

async function aPicture(who: Person): Promise<string> {
  return (await sendFile(who, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file
}

async function aTopicWith(author: Person, tagId: string): Promise<{ topicId: string; file: string }> {
  const id = await aPicture(author)
  return { topicId: await aTopic(author, tagId, { body: documentWith(picture(id)) }), file: id }
}

async function keyOf(who: Visitor, id: string): Promise<string | null> {
  const { body, status } = await who.tryCall(fileKeys, { files: [id] })
  return status === 200 ? (body.keys[0]?.key ?? null) : null
}

async function status(id: string, key?: string): Promise<number> {
  const address = key === undefined ? file.srcOf(id) : `${file.srcOf(id)}?key=${encodeURIComponent(key)}`
  return (await app.inject(address)).statusCode
}

function statuses(...ids: string[]): Promise<number[]> {
  return Promise.all(ids.map((id) => status(id)))
}
