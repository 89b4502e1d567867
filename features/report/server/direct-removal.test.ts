import { beforeAll, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { listComments, removeComment } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/server/example.ts'
import * as content from '#content/contract.ts'
import type { Told } from '#notice/contract.ts'
import { noticesOf } from '#notice/server/example.ts'
import * as contract from '#report/contract.ts'
import * as forStaff from '#report/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { aTag } from '#tag/server/example.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/server/example.ts'
import { says } from '#writing/server/example.ts'

let forum: Forum
let ann: Staffer
let ben: Staffer
let mei: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  const rights = ['report.view', 'report.decide', 'content.view', 'content.remove']
  ann = await aStaffer(forum, rights)
  ben = await aStaffer(forum, rights)
  mei = await forum.member('mei')
  topicId = await aTopic(mei, await aTag(forum.database))
})

const newest = async () => (await mei.call(contract.myRemovals, {})).removals[0]
const told = async () => (await noticesOf(mei))[0]?.says as Told
const appeal = async () => {
  const removalId = (await newest())?.id ?? ''
  await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
  return { removalId, version: 1, answer: 'So be it.' }
}

describe('what staff took away without a report', () => {
  test('is told with the way to appeal, and another member of staff decides', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Buy my tea') })
    await ann.call(content.removeRemark, { kind: 'comment', id: commentId, reason: 'An advertisement' })
    expect(await told()).toMatchObject({ kind: 'postRemoved', mayAppeal: true, reason: 'An advertisement' })
    expect(await newest()).toMatchObject({
      thing: { kind: 'comment', id: commentId, excerpt: 'Buy my tea' },
      why: 'An advertisement',
      isBack: false,
    })
    const wish = { ...(await appeal()), outcome: 'restored' } as const
    expect(await ann.isRefused(forStaff.decideAppeal, wish, contract.ForAnother)).toBe(true)
    expect(await ben.call(forStaff.appealView, { removalId: wish.removalId })).toMatchObject({ caseId: null, reports: [], result: '' })
    await ben.call(forStaff.decideAppeal, wish)
    expect(await newest()).toMatchObject({ isBack: true, appeal: { outcome: 'restored' } })
    const { comments } = await forum.visitor().call(listComments, { topicId })
    expect(comments.find(({ id }) => id === commentId)).toMatchObject({ isDeleted: false })
  })

  test('is a topic, a reply, or one of many', async () => {
    const id = await aTopic(mei, await aTag(forum.database), { title: 'Cheap tea' })
    const replyId = await aReply(mei, await aComment(mei, id))
    await ann.call(content.removeRemark, { kind: 'reply', id: replyId })
    expect(await newest()).toMatchObject({ thing: { kind: 'reply', id: replyId } })
    await ann.call(content.doAtOnce, { deed: 'topic.remove', ids: [id], reason: 'Advertisements' })
    expect(await newest()).toMatchObject({ thing: { kind: 'topic', id, title: 'Cheap tea' }, why: 'Advertisements' })
    await ben.call(forStaff.decideAppeal, { ...(await appeal()), outcome: 'restored' })
    expect(await forum.visitor().call(thread, { topicId: id })).toMatchObject({ title: 'Cheap tea' })
  })

  test('is appealed against where it went last, and not where staff brought it back', async () => {
    const commentId = await aComment(mei, topicId)
    const which = { kind: 'comment', id: commentId } as const
    await ann.call(content.removeRemark, which)
    const first = (await newest())?.id ?? ''
    await ann.call(content.restoreRemark, which)
    expect(await newest()).toMatchObject({ id: first, isBack: true })
    await ann.call(content.removeRemark, which)
    const refused = mei.isRefused(contract.appealRemoval, { removalId: first, text: 'Why?' }, contract.BackAlready)
    expect(await refused).toBe(true)
    expect(await newest()).toMatchObject({ isBack: false })
  })
})

test('what its author took back themselves is no removal', async () => {
  const before = (await mei.call(contract.myRemovals, {})).total
  const commentId = await aComment(mei, topicId)
  await mei.call(removeComment, { commentId })
  expect((await mei.call(contract.myRemovals, {})).total).toBe(before)
})
