import { beforeAll, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { auditLog } from '#audit/contract.ts'
import { remarkHistory, remarkSource, editRemark, listComments, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import type { PersonalNotice } from '#notification/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as contract from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag, giveRole } from '#tag/testing/factories.ts'
import { editTopic, removeTopic, thread, topicHistory } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import { says } from '#writing/testing/factories.ts'

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
const newestNotice = async () => (await noticesOf(mei))[0]?.says as PersonalNotice
const appeal = async () => {
  const removalId = (await newest())?.id ?? ''
  await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
  return { removalId, version: 1, answer: 'So be it.' }
}

describe('an erased post', () => {
  test('settles its open reports and appeals, notifies both sides, and cannot be appealed', async () => {
    const [chief, tom] = [await aStaffer(forum), await forum.member()]
    const [reported, appealed, unlawful] = [await aComment(mei, topicId), await aComment(mei, topicId), await aComment(mei, topicId)]
    const picture: string = (await sendFile(tom, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file
    await aReport(tom, reported, { reason: 'As it was', pictures: [picture] })
    for (const id of [reported, appealed]) await ann.call(content.removeRemarkAsStaff, { kind: 'comment', id, reason: 'unlawful' })
    await appeal()
    await ann.call(content.removeRemarkAsStaff, { kind: 'comment', id: unlawful, reason: 'unlawful' })
    for (const id of [reported, appealed, unlawful]) await chief.call(content.purgeRemark, { kind: 'comment', id })
    expect((await ann.call(forStaff.caseList, {})).rows).toEqual([])
    expect((await ben.call(forStaff.appealList, {})).rows).toEqual([])
    expect((await tom.call(contract.myReports, {})).reports).toMatchObject([
      { status: 'succeeded', thing: { title: '', excerpt: '' }, pictures: [] },
    ])
    const row = await forum.database.app.selectFrom('file').select('unused_since').where('id', '=', picture).executeTakeFirst()
    expect(row?.unused_since).not.toBeNull()
    expect((await noticesOf(tom))[0]?.says).toMatchObject({
      kind: 'reportDecided',
      outcome: 'succeeded',
      post: { id: reported, title: '' },
    })
    expect(await newestNotice()).toMatchObject({ kind: 'appealAnswered', outcome: 'confirmed', post: { id: appealed } })
    const removalId = (await newest())?.id ?? ''
    expect((await mei.tryCall(contract.appealRemoval, { removalId, text: 'Please.' })).status).toBe(404)
  })
})

describe('a post removed by staff without a report', () => {
  test('has a notice with the way to appeal, and another member of staff decides', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Buy my tea') })
    await ann.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'An advertisement' })
    expect(await newestNotice()).toMatchObject({ kind: 'postRemoved', mayAppeal: true, reason: 'An advertisement' })
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
    await ann.call(content.removeRemarkAsStaff, { kind: 'reply', id: replyId, reason: 'spam' })
    expect(await newest()).toMatchObject({ thing: { kind: 'reply', id: replyId } })
    await ann.call(content.doAtOnce, { action: 'topic.remove', ids: [id], reason: 'Advertisements' })
    expect(await newest()).toMatchObject({ thing: { kind: 'topic', id, title: 'Cheap tea' }, why: 'Advertisements' })
    await ben.call(forStaff.decideAppeal, { ...(await appeal()), outcome: 'restored' })
    expect(await forum.visitor().call(thread, { topicId: id })).toMatchObject({ title: 'Cheap tea' })
  })

  test('is appealed against at its latest removal, and not after its restoration', async () => {
    const commentId = await aComment(mei, topicId)
    const which = { kind: 'comment', id: commentId } as const
    await ann.call(content.removeRemarkAsStaff, { ...which, reason: 'spam' })
    const first = (await newest())?.id ?? ''
    await ann.call(content.restoreRemark, which)
    expect(await newest()).toMatchObject({ id: first, isBack: true })
    await ann.call(content.removeRemarkAsStaff, { ...which, reason: 'spam' })
    const refused = mei.isRefused(contract.appealRemoval, { removalId: first, text: 'Why?' }, contract.BackAlready)
    expect(await refused).toBe(true)
    expect(await newest()).toMatchObject({ isBack: false })
  })
})

test('a post deleted by its author is no removal', async () => {
  const before = (await mei.call(contract.myRemovals, {})).total
  const commentId = await aComment(mei, topicId)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect((await mei.call(contract.myRemovals, {})).total).toBe(before)
})

describe('a moderator by a role', () => {
  const reason = 'An advertisement'
  let guard: Person

  beforeAll(async () => {
    guard = await forum.member('guard')
    await giveRole(forum.database, guard.id, await aRole(forum.database, ['content.edit.any', 'content.remove.any']))
  })

  const noted = async (about: string) => (await (await aStaffer(forum)).call(auditLog, { about })).rows

  test('removes a post with a reason, a notice, a log entry and a way to appeal', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Buy my cups') })
    expect(await guard.isRefused(removeRemark, { kind: 'comment', id: commentId }, ReasonNeeded)).toBe(true)
    expect(await guard.isRefused(removeRemark, { kind: 'comment', id: commentId, reason: ' \u200b' }, ReasonNeeded)).toBe(true)
    await guard.call(removeRemark, { kind: 'comment', id: commentId, reason })
    expect(await newestNotice()).toMatchObject({ kind: 'postRemoved', mayAppeal: true, reason })
    expect(await newest()).toMatchObject({ thing: { kind: 'comment', id: commentId }, why: reason, isBack: false })
    expect(await noted(`comment ${commentId}`)).toMatchObject([
      { account: `member ${guard.id}`, staffId: null, action: 'comment.remove', reason, by: { en: 'guard', zh: 'guard' } },
    ])
    const wish = { ...(await appeal()), outcome: 'restored' } as const
    const { rows } = await ann.call(forStaff.appealList, { state: 'open' })
    expect(rows.find(({ id }) => id === wish.removalId)).toMatchObject({ removedByMember: { id: guard.id }, mayDecide: true })
    await ann.call(forStaff.decideAppeal, wish)
    expect(await newest()).toMatchObject({ isBack: true })

    const other = await aTopic(mei, await aTag(forum.database))
    const replyId = await aReply(mei, await aComment(mei, other))
    expect(await guard.isRefused(removeRemark, { kind: 'reply', id: replyId }, ReasonNeeded)).toBe(true)
    await guard.call(removeRemark, { kind: 'reply', id: replyId, reason })
    expect(await newest()).toMatchObject({ thing: { kind: 'reply', id: replyId }, why: reason })
    expect(await guard.isRefused(removeTopic, { topicId: other }, ReasonNeeded)).toBe(true)
    await guard.call(removeTopic, { topicId: other, reason })
    expect(await newest()).toMatchObject({ thing: { kind: 'topic', id: other }, why: reason })
    expect(await noted(`topic ${other}`)).toMatchObject([{ account: `member ${guard.id}`, action: 'topic.remove' }])
    expect(await ann.call(content.topicForStaff, { topicId: other })).toMatchObject({
      actions: [{ account: `member ${guard.id}`, by: { en: 'guard' } }],
    })
  })

  test('edits a post with a reason, a notice and a log entry, and may hide the earlier version', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Call 555') })
    expect(await guard.call(remarkSource, { kind: 'comment', id: commentId })).toMatchObject({ isAnothers: true })
    expect(await guard.isRefused(editRemark, { kind: 'comment', id: commentId, body: says('Call me') }, ReasonNeeded)).toBe(true)
    await guard.call(editRemark, { kind: 'comment', id: commentId, body: says('Call me'), reason, withholds: true })
    expect(await newestNotice()).toMatchObject({ kind: 'postEdited', reason })
    const { versions } = await forum.visitor().call(remarkHistory, { topicId, kind: 'comment', id: commentId })
    expect(versions).toMatchObject([{ isWithheld: false }, { isWithheld: true, segments: [] }])
    expect(await noted(`comment ${commentId}`)).toMatchObject([
      {
        account: `member ${guard.id}`,
        action: 'comment.edit',
        reason,
        before: { version: 1 },
        after: { version: 2 },
        edit: { isWithheld: true },
      },
    ])
    const auditor = await aStaffer(forum, ['audit.view'])
    expect((await auditor.call(auditLog, { about: `comment ${commentId}` })).rows).toMatchObject([{ action: 'comment.edit', edit: null }])

    const other = await aTopic(mei, await aTag(forum.database), { title: 'Cheap tea' })
    const replyId = await aReply(mei, await aComment(mei, other))
    expect(await guard.isRefused(editRemark, { kind: 'reply', id: replyId, body: says('No') }, ReasonNeeded)).toBe(true)
    await guard.call(editRemark, { kind: 'reply', id: replyId, body: says('No'), reason })
    expect(await newestNotice()).toMatchObject({ kind: 'postEdited', post: { kind: 'reply' }, reason })
    const edit = { topicId: other, title: 'Tea', body: says('Tea') }
    expect(await guard.isRefused(editTopic, edit, ReasonNeeded)).toBe(true)
    await guard.call(editTopic, { ...edit, reason })
    expect((await forum.visitor().call(topicHistory, { topicId: other })).versions[1]).toMatchObject({
      title: 'Cheap tea',
      isWithheld: false,
    })
    expect((await noted(`topic ${other}`))[0]).toMatchObject({
      action: 'topic.edit',
      edit: { title: { before: 'Cheap tea', after: 'Tea' } },
    })
  })

  test('edits their own posts without a reason, and hides nothing from members', async () => {
    const commentId = await aComment(guard, topicId)
    await guard.call(editRemark, { kind: 'comment', id: commentId, body: says('Better'), withholds: true })
    expect((await forum.visitor().call(remarkHistory, { topicId, kind: 'comment', id: commentId })).versions[1]).toMatchObject({
      isWithheld: false,
    })
    await guard.call(removeRemark, { kind: 'comment', id: commentId })
    expect(await noted(`comment ${commentId}`)).toEqual([])
  })
})
