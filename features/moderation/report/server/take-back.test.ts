import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { TooLateToUndo } from '#batch/contract.ts'
import { counterMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { listComments, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as content from '#content/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as contract from '#report/contract.ts'
import { dismissCases } from '#report/dismiss-contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { takeBackAppeal, takeBackCase } from '#report/undo-contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let ann: Staffer
let ben: Staffer
let mei: Person
let tom: Person
let lily: Person
let topicId: string
let commentId: string

const reason = 'Decided by mistake.'

beforeAll(async () => {
  forum = await aForum()
  const rights = ['report.view', 'report.decide', 'content.view', 'content.remove']
  ann = await aStaffer(forum, rights)
  ben = await aStaffer(forum, rights)
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { reportCaptchaAfter: 100 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})
beforeEach(async () => {
  // A new member for each test, because of the limit on posts per minute.
  mei = await forum.member()
  tom = await forum.member()
  lily = await forum.member()
  topicId = await aTopic(mei, await aTag(forum.database))
  commentId = await aComment(mei, topicId)
})

const view = (caseId: string) => ann.call(forStaff.caseView, { caseId })

async function caseOf(thingId = commentId) {
  const { rows } = await ann.call(forStaff.caseList, { state: 'all', size: 200, order: 'desc' })
  return view(rows.find(({ thing }) => thing.id === thingId && thing.kind === 'comment')?.id ?? '')
}

/** Decides the case as it is, and returns it afterwards. */
async function decided(wish: { outcome: 'failed' } | { outcome: 'succeeded'; removes?: boolean; why?: string }, by = ann) {
  const { id: caseId, version } = await caseOf()
  await by.call(forStaff.decideCase, { caseId, version, result: 'For reporters.', remark: 'For staff.', ...wish })
  const now = await view(caseId)
  return { caseId, version: now.version, reason }
}

const verdict = { outcome: 'succeeded', removes: true, why: 'It insults others.' } as const
async function appealed() {
  const removalId = (await newest())?.id ?? ''
  await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
  const { version } = await ben.call(forStaff.appealView, { removalId })
  return { removalId, version }
}

/** Makes this member its author. */
async function writtenBy({ id }: Staffer, caseId: string) {
  const { app } = forum.database
  const { speaks_as } = await app.selectFrom('staff').select('speaks_as').where('id', '=', id).executeTakeFirstOrThrow()
  await app.updateTable('report_case').set({ author_id: speaks_as }).where('id', '=', caseId).execute()
}

const newestNoticeOf = async (who: Person) => (await noticesOf(who))[0]?.says
const mine = async (who: Person) => (await who.call(contract.myReports, {})).reports[0]
const newest = async () => (await mei.call(contract.myRemovals, {})).removals[0]
const isOnThePage = async () =>
  (await forum.visitor().call(listComments, { topicId })).comments.some(({ id, isDeleted }) => id === commentId && !isDeleted)
const countsAreRight = async () => expect(await counterMismatches(forum.database.reader)).toEqual([])
const listedAs = async (state: 'open' | 'decided', caseId: string) =>
  (await ann.call(forStaff.caseList, { state, size: 200, order: 'desc' })).rows.some(({ id }) => id === caseId)

describe('a decision about reports that is undone', () => {
  test('resets each report, notifies the reporters, and waits again', async () => {
    const [first, second] = [await aReport(tom, commentId), await aReport(lily, commentId)]
    const nia = await forum.member()
    await aReport(nia, commentId)
    for (const reportId of [first, second])
      await ann.call(forStaff.askForReason, { reportId, version: (await caseOf()).version, question: 'Which words?' })
    await lily.call(contract.supplyReason, { reportId: second, reason: 'The last ones.' })
    const before = await caseOf()
    const decision = await decided({ outcome: 'failed' })
    expect(await view(decision.caseId)).toMatchObject({ canTakeBack: true })
    expect(await ben.call(takeBackCase, decision)).toEqual({ isLeft: false })

    const now = await caseOf()
    expect(now).toEqual({ ...before, version: before.version + 2, takenBack: [expect.anything()] })
    const was = { outcome: 'failed', said: 'For reporters.', remark: 'For staff.', decidedBy: ann.account, by: ben.account, reason }
    expect(now.takenBack).toMatchObject([was])
    expect(now.list.map(({ status }) => status)).toEqual(['needsReason', 'reasonSupplied', 'pending'])
    expect([await listedAs('open', now.id), await listedAs('decided', now.id)]).toEqual([true, false])
    for (const one of [tom, lily, nia]) {
      expect(await newestNoticeOf(one)).toMatchObject({ kind: 'reportReopened', post: { kind: 'comment', id: commentId } })
      expect(await mine(one)).toMatchObject({ result: '', decidedAt: null })
    }
    await tom.call(contract.supplyReason, { reportId: first, reason: 'The first ones.' })
    expect(now.list[2]?.record).toEqual({ decided: 0, succeeded: 0 })
    expect(await noticesOf(mei)).toEqual([])
    const chief = await aStaffer(forum)
    expect((await chief.call(auditLog, { about: `comment ${commentId}` })).rows[0]).toMatchObject({
      action: 'report.takeBack',
      account: ben.account,
      reason,
      before: { outcome: 'failed', result: 'For reporters.', remark: 'For staff.' },
    })
  })

  test('restores its removed post, with its counts, and notifies the author; the next decision may remove it anew', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    await countsAreRight()
    expect(await isOnThePage()).toBe(false)
    expect(await ann.call(takeBackCase, decision)).toEqual({ isLeft: false })
    await countsAreRight()
    expect(await isOnThePage()).toBe(true)
    expect(await newestNoticeOf(mei)).toMatchObject({ kind: 'postRestored', post: { id: commentId } })
    expect(await newest()).toMatchObject({ isBack: true, appeal: null })
    expect(await view(decision.caseId)).toMatchObject({ outcome: null, removalId: null, canTakeBack: false, decidedBy: null })

    const again = await decided({ ...verdict, why: 'It insults, indeed.' })
    expect(await isOnThePage()).toBe(false)
    await ann.call(takeBackCase, again)
    expect(await isOnThePage()).toBe(true)
    await ann.call(takeBackCase, await decided({ outcome: 'failed' }))
    expect((await mei.call(contract.myRemovals, {})).total).toBe(2)
    await countsAreRight()
  })

  test('takes a topic back to the page with all that is under it', async () => {
    await aReport(tom, topicId, { kind: 'topic' })
    const { rows } = await ann.call(forStaff.caseList, { order: 'desc', size: 200 })
    const { id: caseId, version } = rows.find(({ thing }) => thing.kind === 'topic' && thing.id === topicId) ?? { id: '', version: 0 }
    await ann.call(forStaff.decideCase, { caseId, version, ...verdict })
    expect((await forum.visitor().tryCall(thread, { topicId })).status).toBe(404)
    await ann.call(takeBackCase, { caseId, version: version + 1, reason })
    expect(await forum.visitor().call(thread, { topicId })).toMatchObject({ commentCount: 1 })
    await countsAreRight()
  })

  test('never undoes later actions of others, and says so', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    const which = { kind: 'comment', id: commentId } as const
    await ben.call(content.restoreRemark, which)
    await ben.call(content.removeRemarkAsStaff, { ...which, reason: 'For another reason' })
    const notices = (await noticesOf(mei)).length
    expect(await ann.call(takeBackCase, decision)).toEqual({ isLeft: true })
    expect(await isOnThePage()).toBe(false)
    expect(await noticesOf(mei)).toHaveLength(notices)
    expect(await newest()).toMatchObject({ why: 'For another reason', isBack: false })
    expect(await newestNoticeOf(tom)).toMatchObject({ kind: 'reportReopened' })
    await countsAreRight()
  })

  test('leaves alone a post restored by staff and then deleted by its author', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    await ben.call(content.restoreRemark, { kind: 'comment', id: commentId })
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    expect(await ann.call(takeBackCase, decision)).toEqual({ isLeft: true })
    expect(await isOnThePage()).toBe(false)
    await countsAreRight()
  })

  test('grants an appeal that waits, and goes after one that was decided', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    const appeal = await appealed()
    await ben.call(forStaff.decideAppeal, { ...appeal, outcome: 'confirmed', answer: 'It stays away.' })
    expect(await ann.isRefused(takeBackCase, decision, contract.AppealDecided)).toBe(true)
    expect(await view(decision.caseId)).toMatchObject({ canTakeBack: false, isAppealDecided: true, removalId: appeal.removalId })
    await ben.call(takeBackAppeal, { ...appeal, version: appeal.version + 1, reason })
    await ben.call(forStaff.claimAppeal, { removalId: appeal.removalId })
    expect(await ann.isRefused(takeBackCase, decision, contract.Claimed)).toBe(true)
    expect(await ben.call(takeBackCase, decision)).toEqual({ isLeft: false })
    expect(await newestNoticeOf(mei)).toMatchObject({ kind: 'appealAnswered', outcome: 'restored' })
    expect(await newest()).toMatchObject({ isBack: true, appeal: { outcome: 'restored' } })
    const { version, canTakeBack, remark } = await ben.call(forStaff.appealView, { removalId: appeal.removalId })
    expect([canTakeBack, remark]).toEqual([false, reason])
    const back = { removalId: appeal.removalId, version, reason }
    expect(await ben.isRefused(takeBackAppeal, back, contract.RemovalTakenBack)).toBe(true)
    await countsAreRight()
  })
})

describe('the undo of a decision about reports', () => {
  test('is refused to staff without the right to decide or to restore, and to the author and reporter', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    const [viewer, clerk] = [await aStaffer(forum, ['report.view']), await aStaffer(forum, ['report.view', 'report.decide'])]
    for (const one of [viewer, clerk]) {
      expect((await one.tryCall(takeBackCase, decision)).status).toBe(403)
      expect(await one.call(forStaff.caseView, { caseId: decision.caseId })).toMatchObject({ canTakeBack: false })
    }
    expect((await mei.tryCall(takeBackCase, decision)).status).toBe(401)
    expect((await ann.tryCall(takeBackCase, { ...decision, reason: '' })).error).toHaveProperty('reason')
    await writtenBy(ann, decision.caseId)
    expect(await ann.isRefused(takeBackCase, decision, OwnCase)).toBe(true)
    expect(await ben.call(takeBackCase, decision)).toEqual({ isLeft: false })
  })

  test('is refused after another’s, and done once if sent twice', async () => {
    const reportId = await aReport(tom, commentId)
    expect(await ann.isRefused(takeBackCase, { caseId: (await caseOf()).id, version: 1, reason }, contract.TakenBackAlready)).toBe(true)
    const read = await decided({ outcome: 'failed' })
    await ben.call(forStaff.removeReport, { reportId })
    await ben.call(forStaff.restoreReport, { reportId })
    const changed = await ann.tryCall(takeBackCase, read)
    expect([changed.status, changed.response.body]).toEqual([409, expect.stringContaining(ben.account)])
    const decision = { ...read, version: read.version + 2 }
    const both = await Promise.all([ann, ben].map((one) => one.tryCall(takeBackCase, decision)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ann.isRefused(takeBackCase, decision, contract.TakenBackAlready)).toBe(true)
    expect(await mine(tom)).toMatchObject({ status: 'pending' })

    const next = await decided({ outcome: 'failed' })
    const key = { 'idempotency-key': 'one-key-to-take-it-back-once' }
    const sent = [await ann.call(takeBackCase, next, key), await ann.call(takeBackCase, next, key)]
    expect(sent).toEqual([{ isLeft: false }, { isLeft: false }])
    expect((await noticesOf(tom)).filter(({ says }) => says.kind === 'reportReopened')).toHaveLength(2)
  })

  test('is refused after thirty days, after a new report, and after an erasure', async () => {
    await aReport(tom, commentId)
    const decision = await decided({ outcome: 'failed' })
    const { app } = forum.database
    const old = new Date(Date.now() - 31 * 86_400_000)
    await app.updateTable('report_case').set({ decided_at: old }).where('id', '=', decision.caseId).execute()
    expect(await ann.isRefused(takeBackCase, decision, TooLateToUndo)).toBe(true)
    expect(await view(decision.caseId)).toMatchObject({ canTakeBack: false })
    await app.updateTable('report_case').set({ decided_at: new Date() }).where('id', '=', decision.caseId).execute()
    await aReport(tom, commentId)
    expect(await ann.isRefused(takeBackCase, decision, contract.ReportsWait)).toBe(true)

    const last = await decided(verdict)
    await (await aStaffer(forum)).call(content.purgeRemark, { kind: 'comment', id: commentId })
    expect(await ann.isRefused(takeBackCase, last, contract.ErasedSince)).toBe(true)
  })
})

describe('a decision about reports', () => {
  test('on many posts at once is taken back for one of them', async () => {
    await aReport(tom, commentId)
    const { id: caseId, version } = await caseOf()
    await ann.call(dismissCases, { cases: [{ caseId, version }] })
    await ann.call(takeBackCase, { caseId, version: version + 1, reason })
    expect(await mine(tom)).toMatchObject({ status: 'pending' })
  })

  test('that is undone leaves a report removed by staff meanwhile, without a notice', async () => {
    const reportId = await aReport(tom, commentId)
    await aReport(lily, commentId)
    const { caseId, version } = await decided({ outcome: 'failed' })
    await ann.call(forStaff.removeReport, { reportId })
    await ann.call(takeBackCase, { caseId, version: version + 1, reason })
    expect([await mine(tom), await newestNoticeOf(tom)]).toMatchObject([
      { status: 'pending', isDeletedByStaff: true },
      { kind: 'reportDecided' },
    ])
  })
})

describe('a decision about an appeal that is undone', () => {
  async function answered(outcome: 'restored' | 'confirmed') {
    await ann.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'spam' })
    const { removalId, version } = await appealed()
    await ben.call(forStaff.decideAppeal, { removalId, version, outcome, answer: 'So be it.' })
    return { removalId, version: version + 1, reason }
  }

  test('removes the restored post again, notifies the author, and waits for another than its remover', async () => {
    const decision = await answered('restored')
    expect(await isOnThePage()).toBe(true)
    expect(await ben.call(forStaff.appealView, { removalId: decision.removalId })).toMatchObject({ canTakeBack: true })
    expect(await ann.isRefused(takeBackAppeal, decision, contract.ForAnother)).toBe(true)
    expect(await ann.call(forStaff.appealView, { removalId: decision.removalId })).toMatchObject({ canTakeBack: false })
    expect(await ben.call(takeBackAppeal, decision)).toEqual({ isLeft: false })
    expect(await isOnThePage()).toBe(false)
    await countsAreRight()
    const was = { outcome: 'restored', said: 'So be it.', remark: '', decidedBy: ben.account, by: ben.account, reason }
    expect(await ann.call(forStaff.appealView, { removalId: decision.removalId })).toMatchObject({ takenBack: [was] })
    expect(await newest()).toMatchObject({ id: decision.removalId, isBack: false, appeal: { outcome: null, answer: '' } })
    expect(await newestNoticeOf(mei)).toMatchObject({ kind: 'appealReopened', isAway: true, post: { id: commentId } })
    const { rows } = await ben.call(forStaff.appealList, { state: 'open', size: 200, order: 'desc' })
    expect(rows.some(({ id, mayDecide }) => id === decision.removalId && mayDecide)).toBe(true)
    const chief = await aStaffer(forum)
    expect((await chief.call(auditLog, { about: `comment ${commentId}` })).rows[0]).toMatchObject({
      action: 'appeal.takeBack',
      reason,
      before: { outcome: 'restored', answer: 'So be it.' },
    })
    const { removalId, version } = decision
    await ben.call(forStaff.decideAppeal, { removalId, version: version + 1, outcome: 'restored', answer: 'It is back.' })
    expect(await isOnThePage()).toBe(true)
    await countsAreRight()
  })

  test('that confirmed a removal leaves it away, and the author is notified', async () => {
    const decision = await answered('confirmed')
    expect(await ben.call(takeBackAppeal, decision)).toEqual({ isLeft: false })
    expect(await newestNoticeOf(mei)).toMatchObject({ kind: 'appealReopened', isAway: true })
    expect(await newest()).toMatchObject({ isBack: false, appeal: { outcome: null } })
  })

  test('leaves alone a post removed or restored since', async () => {
    const which = { kind: 'comment', id: commentId } as const
    const first = await answered('restored')
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    await ann.call(content.restoreRemark, which)
    expect(await ben.call(takeBackAppeal, first)).toEqual({ isLeft: true })
    expect(await isOnThePage()).toBe(true)
    expect(await newestNoticeOf(mei)).toMatchObject({ kind: 'appealReopened', isAway: false })
    const second = await answered('restored')
    await ann.call(content.removeRemarkAsStaff, { ...which, reason: 'spam again' })
    const { total } = await mei.call(contract.myRemovals, {})
    expect(await ben.call(takeBackAppeal, second)).toEqual({ isLeft: true })
    expect(await mei.call(contract.myRemovals, {})).toMatchObject({ total, removals: [{ why: 'spam again', isBack: false }, {}, {}] })
    await countsAreRight()
  })

  test('leaves alone a post restored before the decision', async () => {
    await ann.call(content.removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'spam' })
    const { removalId, version } = await appealed()
    await ann.call(content.restoreRemark, { kind: 'comment', id: commentId })
    await ben.call(forStaff.decideAppeal, { removalId, version, outcome: 'restored', answer: 'It is back.' })
    expect(await ben.call(takeBackAppeal, { removalId, version: version + 1, reason })).toEqual({ isLeft: true })
    expect(await isOnThePage()).toBe(true)
  })

  test('allows the undo of the decision about its reports after it', async () => {
    await aReport(tom, commentId)
    const decision = await decided(verdict)
    const { removalId, version } = await appealed()
    await ben.call(forStaff.decideAppeal, { removalId, version, outcome: 'restored', answer: 'It is back.' })
    await ben.call(takeBackAppeal, { removalId, version: version + 1, reason })
    expect(await ann.call(takeBackCase, decision)).toEqual({ isLeft: false })
    expect(await isOnThePage()).toBe(true)
    await countsAreRight()
  })

  test('is refused to others, to the second of two at once, twice, late, and for an erased post', async () => {
    const decision = await answered('restored')
    const clerk = await aStaffer(forum, ['report.view', 'report.decide'])
    const viewer = await aStaffer(forum, ['report.view', 'content.remove'])
    for (const one of [clerk, viewer]) expect((await one.tryCall(takeBackAppeal, decision)).status).toBe(403)
    expect(await ben.isRefused(takeBackAppeal, { ...decision, version: 1 }, contract.ChangedBy)).toBe(true)
    const { app } = forum.database
    const at = (answered_at: Date) => app.updateTable('removal').set({ answered_at }).where('id', '=', decision.removalId).execute()
    await at(new Date(Date.now() - 31 * 86_400_000))
    expect(await ben.isRefused(takeBackAppeal, decision, TooLateToUndo)).toBe(true)
    await at(new Date())
    const cora = await aStaffer(forum, ['report.view', 'report.decide', 'content.remove'])
    const both = await Promise.all([ben, cora].map((one) => one.tryCall(takeBackAppeal, decision)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await ben.isRefused(takeBackAppeal, decision, contract.TakenBackAlready)).toBe(true)
    await (await aStaffer(forum)).call(content.purgeRemark, { kind: 'comment', id: commentId })
    const { version } = await ben.call(forStaff.appealView, { removalId: decision.removalId })
    expect(await ben.isRefused(takeBackAppeal, { ...decision, version }, contract.ErasedSince)).toBe(true)
  })
})
