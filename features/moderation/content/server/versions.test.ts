import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as comments from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as contract from '#content/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  mei = await forum.member()
})
beforeEach(async () => {
  topicId = await aTopic(mei, await aTag(forum.database), { title: 'Where she lives', body: says('She lives at 12 Hidden Lane, red door') })
})

const edit = (withholds: boolean, more = {}) =>
  chief.call(contract.editTopicAsStaff, {
    topicId,
    version: 1,
    title: 'A topic',
    body: says('She lives at home, red door'),
    withholds,
    ...more,
  })
const history = () => forum.visitor().call(topics.topicHistory, { topicId })
const versions = async () => (await chief.call(contract.topicForStaff, { topicId })).versions
const logged = async (about = `topic ${topicId}`) => (await chief.call(auditLog, { about })).rows

describe('text edited out by staff', () => {
  test('is hidden from members if staff wish it, with a mark in its place', async () => {
    await history()
    await edit(true)
    const { response } = await forum.visitor().tryCall(topics.topicHistory, { topicId })
    expect(response.body).not.toMatch(/Hidden Lane|Where she lives/)
    expect((await history()).versions).toMatchObject([{ isWithheld: false }, { isWithheld: true, title: '', segments: [] }])
    expect(await versions()).toMatchObject([{ title: 'Where she lives', standing: 'withheld' }])
  })

  test('is there for all to read otherwise, and can be withheld and shown later', async () => {
    await edit(false)
    expect((await history()).versions).toMatchObject([{}, { isWithheld: false, title: 'Where she lives' }])
    const versionId = (await versions())[0]?.id ?? ''
    const clerk = await aStaffer(forum, ['content.view'])
    expect((await clerk.tryCall(contract.withholdVersion, { kind: 'topic', versionId })).status).toBe(403)
    await chief.call(contract.withholdVersion, { kind: 'topic', versionId, reason: 'An address' })
    expect((await history()).versions).toMatchObject([{}, { isWithheld: true, title: '', segments: [] }])
    await chief.call(contract.showVersion, { kind: 'topic', versionId })
    expect((await history()).versions).toMatchObject([{}, { isWithheld: false, title: 'Where she lives' }])
    expect((await logged()).map(({ action, reason }) => [action, reason])).toEqual([
      ['topic.show', null],
      ['topic.withhold', 'An address'],
      ['topic.edit', null],
    ])
  })

  test('is hidden from members in comments and replies too', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Call 555 0101') })
    const replyId = await aReply(mei, commentId, { body: says('Or 555 0102') })
    await chief.call(contract.editRemarkAsStaff, { kind: 'comment', id: commentId, version: 1, body: says('Call them'), withholds: true })
    await chief.call(contract.editRemarkAsStaff, { kind: 'reply', id: replyId, version: 1, body: says('Or not'), withholds: true })
    const ofComment = await forum.visitor().call(comments.remarkHistory, { topicId, kind: 'comment', id: commentId })
    const ofReply = await forum.visitor().call(comments.remarkHistory, { topicId, kind: 'reply', id: replyId })
    for (const each of [ofComment, ofReply]) expect(each.versions).toMatchObject([{}, { isWithheld: true, segments: [] }])
    expect(JSON.stringify([ofComment, ofReply])).not.toContain('555')
  })
})

describe('the log', () => {
  test('says which passage an edit changed', async () => {
    await edit(false)
    const [row] = await logged()
    expect(row?.edit).toEqual({
      isWithheld: false,
      isPurged: false,
      title: { before: 'Where she lives', after: 'A topic' },
      text: { before: 'She lives at 12 Hidden Lane, red door', after: 'She lives at home, red door' },
    })
    expect(JSON.stringify([row?.before, row?.after])).not.toContain('lives')
  })

  test('says only that it was withheld, or that it is gone for good', async () => {
    await edit(true)
    expect((await logged())[0]?.edit).toEqual({ isWithheld: true, isPurged: false, title: null, text: null })
    await chief.call(contract.removeTopicAsStaff, { topicId, reason: 'spam' })
    await chief.call(contract.purgeTopic, { topicId })
    expect((await logged()).find(({ action }) => action === 'topic.edit')?.edit).toEqual({
      isWithheld: false,
      isPurged: true,
      title: null,
      text: null,
    })
  })
})
