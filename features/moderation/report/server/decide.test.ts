import { beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { listComments } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as contract from '#report/contract.ts'
import { dismissCases } from '#report/dismiss-contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let ann: Staffer
let ben: Staffer
let mei: Person
let tom: Person
let lily: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  ann = await aStaffer(forum, ['report.view', 'report.decide', 'content.remove'])
  ben = await aStaffer(forum, ['report.view', 'report.decide', 'content.remove'])
  mei = await forum.member('mei')
  tom = await forum.member('tom')
  lily = await forum.member('lily')
  topicId = await aTopic(mei, await aTag(forum.database))
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { reportCaptchaAfter: 100 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

async function caseOf(thingId: string, kind: contract.ThingView['kind'] = 'comment') {
  const { rows } = await ann.call(forStaff.caseList, { state: 'all', size: 200 })
  const row = rows.find(({ thing }) => thing.kind === kind && thing.id === thingId)
  return ann.call(forStaff.caseView, { caseId: row?.id ?? '' })
}

const counts = async () => (await mei.call(home, {})).counts
const floors = async () => (await forum.visitor().call(listComments, { topicId })).comments

async function takenAway(thingId: string, kind: contract.ThingView['kind'] = 'comment', by = ann) {
  await aReport(tom, thingId, { kind })
  const { id, version } = await caseOf(thingId, kind)
  await by.call(forStaff.decideCase, {
    caseId: id,
    version,
    outcome: 'succeeded',
    removes: true,
    why: 'It insults others.',
    result: 'Thank you.',
  })
  return (await mei.call(contract.myRemovals, {})).removals[0]?.id ?? ''
}

describe('a decision', () => {
  test('is made about many posts at once for one reason, except claimed, own and changed ones', async () => {
    const ids = [await aComment(mei, topicId), await aComment(mei, topicId), await aComment(mei, topicId), await aComment(mei, topicId)]
    for (const id of ids) await aReport(tom, id)
    const [plain, claimed, changed, own] = await Promise.all(ids.map((id) => caseOf(id)))
    if (!plain || !claimed || !changed || !own) throw new Error('No cases')
    await ben.call(forStaff.claimCase, { caseId: claimed.id })
    await aReport(lily, ids[2] ?? '')
    const { speaks_as } = await forum.database.app
      .selectFrom('staff')
      .select('speaks_as')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    await forum.database.app.updateTable('report_case').set({ author_id: speaks_as }).where('id', '=', own.id).execute()
    const cases = [plain, claimed, changed, own].map(({ id, version }) => ({ caseId: id, version }))
    const answer = await ann.call(dismissCases, { cases, result: 'Nothing wrong there.' })
    expect(answer.done).toBe(1)
    expect(answer.faults.map(({ id }) => id)).toEqual([claimed.id, changed.id, own.id])
    expect(answer.faults[0]).toMatchObject({ name: claimed.thing.title, why: expect.stringContaining(ben.account) })
    const now = await ann.call(forStaff.caseView, { caseId: plain.id })
    expect(now).toMatchObject({ outcome: 'failed', result: 'Nothing wrong there.', decidedBy: ann.account })
    expect((await noticesOf(tom))[0]?.says).toMatchObject({ kind: 'reportDecided', outcome: 'failed' })
    expect((await ann.call(forStaff.caseView, { caseId: changed.id })).outcome).toBeNull()
    const chief = await aStaffer(forum)
    expect(
      (await chief.call(auditLog, { about: `comment ${ids[0]}` })).rows.filter(({ action }) => action === 'report.decide'),
    ).toHaveLength(1)
    const viewer = await aStaffer(forum, ['report.view'])
    expect((await viewer.tryCall(dismissCases, { cases })).status).toBe(403)
  })

  test('settles all reports on a post at once, removes it with its counts, and notifies reporters and author', async () => {
    const commentId = await aComment(mei, topicId, { body: says('Fools.') })
    const before = await counts()
    await aReport(tom, commentId)
    await aReport(lily, commentId, { category: 'Off topic' })
    const { id, version, list, reports } = await caseOf(commentId)
    expect([reports, list.map(({ reporter }) => reporter?.name)]).toEqual([2, ['tom', 'lily']])
    const texts = { result: 'It is gone, thank you.', remark: 'third time', why: 'Nobody is insulted here.' }
    await ann.call(forStaff.decideCase, { caseId: id, version, outcome: 'succeeded', removes: true, ...texts })

    for (const one of [tom, lily])
      expect((await one.call(contract.myReports, {})).reports[0]).toMatchObject({ status: 'succeeded', result: texts.result })
    expect((await mei.call(contract.myRemovals, {})).removals[0]).toMatchObject({ why: texts.why, isBack: false, appeal: null })
    expect((await floors()).find((one) => one.id === commentId)).toMatchObject({ isDeleted: true, segments: [] })
    expect(await counts()).toEqual({ ...before, comments: (before?.comments ?? 0) - 1 })
    const chief = await aStaffer(forum)
    expect((await chief.call(auditLog, { about: `comment ${commentId}` })).rows[0]).toMatchObject({
      action: 'report.decideAndRemove',
      reason: texts.why,
    })
  })

  test('is shown to its members without the internal note or the names of reporters', async () => {
    const commentId = await aComment(mei, topicId)
    await takenAway(commentId)
    const [mine, theirs] = await Promise.all([mei.send('GET', contract.myRemovals.path, {}), tom.send('GET', contract.myReports.path, {})])
    expect(mine.body).not.toContain('tom')
    expect(`${mine.body}${theirs.body}`).not.toContain('third time')
  })

  test('is refused after another’s decision, question or report, and nothing is overwritten', async () => {
    const commentId = await aComment(mei, topicId)
    const reportId = await aReport(tom, commentId)
    const seen = await caseOf(commentId)
    const decision = { caseId: seen.id, outcome: 'failed', result: 'We see nothing wrong.' } as const
    await aReport(lily, commentId)
    expect(await ann.isRefused(forStaff.decideCase, { ...decision, version: seen.version }, contract.MoreCameIn)).toBe(true)
    const { version } = await caseOf(commentId)
    await ben.call(forStaff.askForReason, { reportId, version, question: 'Which part?' })
    const { response } = await ann.tryCall(forStaff.decideCase, { ...decision, version })
    expect([response.statusCode, response.body]).toEqual([409, expect.stringContaining(ben.account)])
    const latest = (await caseOf(commentId)).version
    const both = await Promise.all([ann, ben].map((one) => one.tryCall(forStaff.decideCase, { ...decision, version: latest })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('takes the right to remove, a text for the author, and an unchanged post', async () => {
    const commentId = await aComment(mei, topicId)
    await aReport(tom, commentId)
    const { id: caseId, version } = await caseOf(commentId)
    const wish = { caseId, version, outcome: 'succeeded', removes: true, why: 'No.' } as const
    const clerk = await aStaffer(forum, ['report.view', 'report.decide'])
    expect((await clerk.tryCall(forStaff.decideCase, wish)).status).toBe(403)
    expect(await ann.isRefused(forStaff.decideCase, { ...wish, why: '' }, contract.WhyNeeded)).toBe(true)
    expect((await ann.tryCall(forStaff.decideCase, { ...wish, outcome: 'failed' })).error).toHaveProperty('removes')
    await forum.database.app.updateTable('comment').set({ status: 'deleted', deleted_by: 'author' }).where('id', '=', commentId).execute()
    expect(await ann.isRefused(forStaff.decideCase, wish, contract.GoneAlready)).toBe(true)
  })
})

describe('before a decision', () => {
  test('one member of staff claims it for ten minutes, and others are refused', async () => {
    const commentId = await aComment(mei, topicId)
    await aReport(tom, commentId)
    const { id: caseId, version } = await caseOf(commentId)
    await ann.call(forStaff.claimCase, { caseId })
    expect(await ben.isRefused(forStaff.claimCase, { caseId }, contract.Claimed)).toBe(true)
    expect(await ben.isRefused(forStaff.decideCase, { caseId, version, outcome: 'failed' }, contract.Claimed)).toBe(true)
    const mine = async (who: Staffer, claimed: 'mine' | 'others') =>
      (await who.call(forStaff.caseList, { claimed })).rows.map(({ id }) => id)
    expect([await mine(ann, 'mine'), await mine(ben, 'others')]).toEqual([[caseId], [caseId]])
    const longAgo = new Date(Date.now() - 11 * 60_000)
    await forum.database.app.updateTable('report_case').set({ claimed_at: longAgo }).where('id', '=', caseId).execute()
    await ben.call(forStaff.claimCase, { caseId })
    await ben.call(forStaff.releaseCase, { caseId })
    await ann.call(forStaff.claimCase, { caseId })
  })

  test('staff ask a reporter for more, and they supply it once', async () => {
    const commentId = await aComment(mei, topicId)
    const reportId = await aReport(lily, commentId, { reason: 'Rude.' })
    expect(await lily.isRefused(contract.supplyReason, { reportId, reason: 'More' }, contract.NothingAsked)).toBe(true)
    await ann.call(forStaff.askForReason, { reportId, version: (await caseOf(commentId)).version, question: 'Which words?' })
    expect((await lily.call(contract.myReports, {})).reports[0]).toMatchObject({ status: 'needsReason', asked: 'Which words?' })
    expect((await tom.tryCall(contract.supplyReason, { reportId, reason: 'Mine?' })).status).toBe(404)
    await lily.call(contract.supplyReason, { reportId, reason: 'The last ones.' })
    expect((await caseOf(commentId)).list).toMatchObject([{ status: 'reasonSupplied', reason: 'Rude.\n\nThe last ones.' }])
    expect((await ann.call(forStaff.caseList, { status: 'reasonSupplied' })).rows.map(({ thing }) => thing.id)).toContain(commentId)
  })

  test('staff take one report out and put it back; its reporter sees that, beside its status', async () => {
    const commentId = await aComment(mei, topicId)
    const reportId = await aReport(lily, commentId)
    const { id } = await caseOf(commentId)
    await ann.call(forStaff.removeReport, { reportId, reason: 'spite' })
    expect((await lily.call(contract.myReports, {})).reports[0]).toMatchObject({ status: 'pending', isDeletedByStaff: true })
    const open = async (deleted: boolean) => (await ann.call(forStaff.caseList, { deleted })).rows.some((row) => row.id === id)
    expect([await open(false), await open(true)]).toEqual([false, true])
    await ann.call(forStaff.restoreReport, { reportId })
    expect([await open(false), await open(true)]).toEqual([true, false])
  })

  test('the records of reporter and author count earlier decisions, also once this one is made', async () => {
    const nia = await forum.member()
    const [right, wrong, now] = [await aComment(mei, topicId), await aComment(mei, topicId), await aComment(mei, topicId)]
    for (const [thingId, outcome] of [
      [right, 'succeeded'],
      [wrong, 'failed'],
    ] as const) {
      await aReport(nia, thingId)
      const { id, version } = await caseOf(thingId)
      await ann.call(forStaff.decideCase, { caseId: id, version, outcome })
    }
    await aReport(nia, now)
    expect((await caseOf(now)).list[0]?.record).toEqual({ decided: 2, succeeded: 1 })
    const { id: caseId, version, authorRecord } = await caseOf(now)
    await ann.call(forStaff.decideCase, { caseId, version, outcome: 'succeeded' })
    expect(await ann.call(forStaff.caseView, { caseId })).toMatchObject({ authorRecord, list: [{ record: { decided: 2, succeeded: 1 } }] })
  })
})

describe('an appeal', () => {
  test('is made once, by the author, and decided by another; a restored post counts as before', async () => {
    const commentId = await aComment(mei, topicId)
    const replyId = await aReply(mei, commentId)
    const before = await counts()
    const removalId = await takenAway(replyId, 'reply')
    expect((await tom.tryCall(contract.appealRemoval, { removalId, text: 'Not mine' })).status).toBe(404)
    await mei.call(contract.appealRemoval, { removalId, text: 'I meant myself.' })
    expect(await mei.isRefused(contract.appealRemoval, { removalId, text: 'Again' }, contract.AppealedAlready)).toBe(true)

    const wish = { removalId, version: 1, outcome: 'restored', answer: 'You are right.' } as const
    expect(await ann.isRefused(forStaff.decideAppeal, wish, contract.ForAnother)).toBe(true)
    expect((await ben.call(forStaff.appealList, {})).rows).toMatchObject([{ id: removalId, mayDecide: true }])
    expect((await ben.call(forStaff.appealView, { removalId })).segments[0]?.html).toContain('Indeed')
    await ben.call(forStaff.decideAppeal, wish)
    const [removal] = (await mei.call(contract.myRemovals, {})).removals
    expect(removal).toMatchObject({ isBack: true, appeal: { outcome: 'restored', answer: 'You are right.' } })
    expect((await floors()).find(({ id }) => id === commentId)?.replies.map(({ id }) => id)).toEqual([replyId])
    expect(await counts()).toEqual(before)
    expect(await ben.isRefused(forStaff.decideAppeal, wish, contract.DecidedAlready)).toBe(true)
  })

  test('brings a topic back with all that is under it', async () => {
    const id = await aTopic(mei, await aTag(forum.database), { title: 'Back again' })
    await aComment(tom, id)
    const before = await counts()
    const removalId = await takenAway(id, 'topic')
    expect((await forum.visitor().tryCall(thread, { topicId: id })).status).toBe(404)
    await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
    await ben.call(forStaff.decideAppeal, { removalId, version: 1, outcome: 'restored', answer: 'It stays.' })
    expect(await forum.visitor().call(thread, { topicId: id })).toMatchObject({ commentCount: 1 })
    expect((await forum.visitor().call(listTopics, {})).topics.map((one) => one.id)).toContain(id)
    expect(await counts()).toEqual(before)
  })

  test('is decided by the one who removed the post only if they are the only administrator', async () => {
    const alone = await aForum()
    const boss = await aStaffer(alone)
    const [author, reporter] = [await alone.member(), await alone.member()]
    const id = await aTopic(author, await aTag(alone.database))
    await aReport(reporter, id, { kind: 'topic' })
    const [row] = (await boss.call(forStaff.caseList, {})).rows
    await boss.call(forStaff.decideCase, { caseId: row?.id ?? '', version: 1, outcome: 'succeeded', removes: true, why: 'No.' })
    const removalId = (await author.call(contract.myRemovals, {})).removals[0]?.id ?? ''
    await author.call(contract.appealRemoval, { removalId, text: 'Why?' })
    const wish = { removalId, version: 1, outcome: 'confirmed', answer: 'It goes.' } as const
    const other = await aStaffer(alone, ['report.decide'])
    expect(await boss.isRefused(forStaff.decideAppeal, wish, contract.ForAnother)).toBe(true)
    await alone.database.app.updateTable('staff').set({ disabled_at: new Date() }).where('id', '=', other.id).execute()
    await boss.call(forStaff.decideAppeal, wish)
    expect((await author.call(contract.myRemovals, {})).removals[0]?.appeal?.outcome).toBe('confirmed')
  })
})
