import { beforeAll, describe, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { login } from '#account/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply, manyComments } from '#comment/testing/factories.ts'
import { undoBatch } from '#batch/contract.ts'
import { resume } from '#batch/server/batch.ts'
import * as content from '#content/contract.ts'
import { banMember, liftBan, memberView } from '#member/contract.ts'
import type { PersonalNotice } from '#notification/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { appealRemoval, myRemovals } from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as reports from '#report/staff-contract.ts'
import * as review from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag, giveRole, readerRights } from '#tag/testing/factories.ts'
import { clean, mergeMembers, undoCleaning } from '#member-cleanup/contract.ts'
import * as merging from '#member-cleanup/server/merge.ts'
import { editTopic, removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await change({ reportCaptchaAfter: 100 })
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** A member's system notifications, oldest first. */
const personalNoticesOf = async (who: Person) => (await noticesOf(who)).map((one) => one.says as PersonalNotice).reverse()

async function written(author: Person) {
  const topicId = await aTopic(author, tagId, { title: 'On rain' })
  const commentId = await aComment(author, topicId, { body: says('It rains.') })
  return { topicId, commentId, replyId: await aReply(author, commentId, { body: says('It pours.') }) }
}

async function caseOf(thingId: string) {
  const { rows } = await chief.call(reports.caseList, { state: 'all', size: 200 })
  const row = rows.find(({ thing }) => thing.kind === 'comment' && thing.id === thingId)
  const { id: caseId, version } = await chief.call(reports.caseView, { caseId: row?.id ?? '' })
  return { caseId, version }
}

describe('staff who decide about a report notify', () => {
  test('every reporter of the outcome, and of questions', async () => {
    const [mei, tom, lily] = [await forum.member(), await forum.member(), await forum.member()]
    const { commentId } = await written(mei)
    const reportId = await aReport(tom, commentId)
    await aReport(lily, commentId)
    await chief.call(reports.askForReason, { reportId, version: (await caseOf(commentId)).version, question: 'Which words?' })
    await chief.call(reports.decideCase, { ...(await caseOf(commentId)), outcome: 'failed', result: 'It does rain.' })
    const post = { kind: 'comment', id: commentId, title: 'On rain', excerpt: 'It rains.' }
    const decided = { kind: 'reportDecided', post, outcome: 'failed', result: 'It does rain.' }
    expect(await personalNoticesOf(tom)).toMatchObject([{ kind: 'reportAsked', post, question: 'Which words?' }, decided])
    expect(await personalNoticesOf(lily)).toMatchObject([decided])
    expect(await personalNoticesOf(mei)).toEqual([])
  })

  test('a reporter whose report comes back into a case decided meanwhile', async () => {
    const [mei, tom, lily] = [await forum.member(), await forum.member(), await forum.member()]
    const { commentId } = await written(mei)
    const reportId = await aReport(tom, commentId)
    await aReport(lily, commentId)
    await chief.call(reports.removeReport, { reportId, reason: 'spite' })
    await chief.call(reports.decideCase, { ...(await caseOf(commentId)), outcome: 'failed', result: 'It does rain.' })
    expect(await personalNoticesOf(tom)).toEqual([])
    await chief.call(reports.restoreReport, { reportId })
    await chief.call(reports.removeReport, { reportId, reason: 'spite' })
    await chief.call(reports.restoreReport, { reportId })
    expect(await personalNoticesOf(tom)).toMatchObject([{ kind: 'reportDecided', outcome: 'failed', result: 'It does rain.' }])
  })

  test('the author of the removal with its reason, and of the appeal; then of its outcome, once', async () => {
    const [mei, tom, ben] = [await forum.member(), await forum.member(), await aStaffer(forum)]
    const { commentId } = await written(mei)
    await aReport(tom, commentId)
    await chief.call(reports.decideCase, { ...(await caseOf(commentId)), outcome: 'succeeded', removes: true, why: 'It is dry.' })
    const removalId = (await mei.call(myRemovals, {})).removals[0]?.id ?? ''
    await mei.call(appealRemoval, { removalId, text: 'Look outside.' })
    await ben.call(reports.decideAppeal, { removalId, version: 1, outcome: 'restored', answer: 'Indeed.' })
    expect(await personalNoticesOf(mei)).toMatchObject([
      { kind: 'postRemoved', post: { kind: 'comment', id: commentId }, reason: 'It is dry.', mayAppeal: true },
      { kind: 'appealAnswered', outcome: 'restored', answer: 'Indeed.' },
    ])
    expect(JSON.stringify(await personalNoticesOf(mei))).not.toContain(tom.account)
  })
})

describe('an author is notified', () => {
  test('when staff edit, remove or restore their post, with the reason', async () => {
    const mei = await forum.member()
    const { topicId, commentId, replyId } = await written(mei)
    const reason = 'Off topic.'
    await chief.call(content.editTopicAsStaff, { topicId, version: 1, title: 'On snow', body: says('Snow.'), reason })
    await chief.call(content.editRemarkAsStaff, { kind: 'reply', id: replyId, version: 1, body: says('It snows.'), reason: '' })
    await chief.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason })
    await chief.call(content.restoreRemark, { kind: 'comment', id: commentId, reason: '' })
    await chief.call(content.removeTopicAsStaff, { topicId, reason: 'Enough.' })
    await chief.call(content.pinTopic, { topicId, pin: 1, reason })
    expect(await personalNoticesOf(mei)).toMatchObject([
      { kind: 'postEdited', post: { kind: 'topic', id: topicId, title: 'On snow' }, reason },
      { kind: 'postEdited', post: { kind: 'reply', id: replyId, commentId, excerpt: 'It snows.' }, reason: '' },
      { kind: 'postRemoved', post: { kind: 'comment', id: commentId, title: 'On snow' }, reason, mayAppeal: true },
      { kind: 'postRestored', post: { id: commentId } },
      { kind: 'postRemoved', post: { kind: 'topic', id: topicId }, reason: 'Enough.' },
    ])
  })

  test('when many are removed at once, and when that is undone', async () => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    const ids = [await aTopic(mei, tagId), await aTopic(tom, tagId)]
    const {
      batch: { id: batchId },
    } = await chief.call(content.doAtOnce, { action: 'topic.remove', ids, reason: 'Twice.' })
    await chief.call(undoBatch, { batchId, reason: '' })
    for (const who of [mei, tom])
      expect(await personalNoticesOf(who)).toMatchObject([{ kind: 'postRemoved', reason: 'Twice.' }, { kind: 'postRestored' }])
  })

  test('once about all their posts in a batch, even in several steps', async () => {
    const mei = await forum.member()
    const topicId = await aTopic(mei, tagId, { title: 'On rain' })
    const ids = await manyComments(forum.database, mei.id, topicId, 51)
    const { batch } = await chief.call(content.doAtOnce, { action: 'comment.remove', ids, reason: 'Spam.' })
    await resume(forum.database)
    expect(await personalNoticesOf(mei)).toEqual([{ kind: 'manyRemoved', what: 'comment', thread: 'topic', count: 51, reason: 'Spam.' }])
    await chief.call(undoBatch, { batchId: batch.id })
    await resume(forum.database)
    expect((await personalNoticesOf(mei)).slice(1)).toEqual([{ kind: 'manyRestored', what: 'comment', thread: 'topic', count: 51 }])
  })

  test('when a moderator edits or removes it, and not of their own edits', async () => {
    const [mei, guard] = [await forum.member(), await forum.member()]
    const roleId = await aRole(forum.database, [...readerRights, 'content.edit.any', 'content.remove.any'])
    await giveRole(forum.database, guard.id, roleId)
    const { topicId, commentId } = await written(mei)
    await mei.call(editTopic, { topicId, title: 'On fog', body: says('Fog.') })
    await guard.call(editTopic, { topicId, title: 'On mist', body: says('Mist.'), reason: 'It was mist' })
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    await guard.call(removeTopic, { topicId, reason: 'It is gone' })
    expect(await personalNoticesOf(mei)).toMatchObject([
      { kind: 'postEdited', post: { title: 'On mist' }, reason: 'It was mist' },
      { kind: 'postRemoved', reason: 'It is gone', mayAppeal: true },
    ])
  })

  test('when a post in review is approved or refused, with the reason', async () => {
    const mei = await forum.member()
    const topicId = await aTopic(mei, tagId, { title: 'On wind' })
    await change({ reviewComments: 'everybody', reviewTopics: 'everybody' })
    const commentId = await aComment(mei, topicId, { body: says('It blows.') })
    const waiting = async () => {
      const found = (await chief.call(review.reviewQueue, { size: 200 })).rows.find(({ author }) => author.id === mei.id)
      return { reviewId: found?.id ?? '', version: found?.version ?? 0 }
    }
    await chief.call(review.rejectReview, { ...(await waiting()), reasonZh: '太短', reasonEn: 'Too short.' })
    await mei.call(editTopic, { topicId, title: 'On storm', body: says('Storm.') })
    await chief.call(review.approveReview, await waiting())
    await change({ reviewComments: 'nobody', reviewTopics: 'nobody' })
    const post = { kind: 'comment', id: commentId, excerpt: 'It blows.' }
    expect(await personalNoticesOf(mei)).toMatchObject([
      { kind: 'postRejected', post, isEdit: false, reason: { zh: '太短', en: 'Too short.' } },
      { kind: 'postApproved', post: { kind: 'topic', title: 'On storm' }, isEdit: true },
    ])
  })

  test('nothing more of erased texts', async () => {
    const mei = await forum.member()
    const { topicId, commentId, replyId } = await written(mei)
    await chief.call(content.removeRemarkAsStaff, { kind: 'reply', id: replyId, reason: 'Enough.' })
    await chief.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'Enough.' })
    await chief.call(content.purgeRemark, { kind: 'reply', id: replyId, reason: '' })
    const excerpts = async () => (await personalNoticesOf(mei)).map((one) => ('post' in one ? one.post.excerpt : null))
    expect(await excerpts()).toEqual(['', 'It rains.'])
    await chief.call(content.removeTopicAsStaff, { topicId, reason: 'Enough.' })
    await chief.call(content.purgeTopic, { topicId, reason: '' })
    expect((await personalNoticesOf(mei)).map((one) => 'post' in one && one.post.title + one.post.excerpt)).toEqual(['', '', ''])
  })
})

describe('a member is notified', () => {
  test('of a ban, its end and reason, and when it ends early', async () => {
    const mei = await forum.member()
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    await chief.call(banMember, { memberId: mei.id, from: ['topic', 'comment'], endsAt, reason: 'Advertising.' })
    const { bans } = await chief.call(memberView, { memberId: mei.id })
    await chief.call(liftBan, { banId: bans.find(({ from }) => from === 'topic')?.id ?? '' })
    expect(await personalNoticesOf(mei)).toEqual([
      { kind: 'banned', from: ['topic', 'comment'], endsAt, reason: 'Advertising.' },
      { kind: 'banLifted', from: ['topic'] },
    ])
  })

  test('once that all their posts were removed, or restored', async () => {
    const mei = await forum.member()
    await written(mei)
    const { cleaningId } = await chief.call(clean, { memberId: mei.id, reason: 'Spam.', andThen: 'ban' })
    await chief.call(undoCleaning, { cleaningId })
    // The clean-up ended their sessions.
    mei.pair = null
    mei.pair = sessionOf(await mei.call(login, { account: mei.account, password: mei.password }))
    expect((await personalNoticesOf(mei)).map(({ kind }) => kind)).toEqual(['banned', 'allRemoved', 'allRestored'])
  })

  test('of notices to the other account from before a merge', async () => {
    const [mei, other] = [await forum.member(), await forum.member()]
    const { commentId } = await written(other)
    await chief.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'Wet.' })
    await chief.call(mergeMembers, { memberId: other.id, account: other.account, into: mei.account, reason: 'The same person.' })
    await merging.resume(forum.database)
    expect(await personalNoticesOf(mei)).toMatchObject([
      { kind: 'postRemoved', reason: 'Wet.' },
      { kind: 'accountsMerged', name: other.account },
    ])
  })
})
