import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as contract from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let ann: Staffer
let ben: Staffer
let mei: Person
let tom: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  ann = await aStaffer(forum, ['report.view', 'report.decide', 'content.remove'])
  ben = await aStaffer(forum, ['report.view', 'report.decide', 'content.remove'])
  mei = await forum.member('mei')
  tom = await forum.member('tom')
  topicId = await aTopic(mei, await aTag(forum.database))
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { reportCaptchaAfter: 100 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

async function memberOf({ id }: Staffer): Promise<string> {
  return (await forum.database.app.selectFrom('staff').select('speaks_as').where('id', '=', id).executeTakeFirstOrThrow()).speaks_as
}

/** A case about a comment of mei's, reported by tom; optionally with another author or reporter. */
async function aCase(as: { author?: Staffer; reporter?: Staffer } = {}) {
  const commentId = await aComment(mei, topicId)
  const reportId = await aReport(tom, commentId)
  const { rows } = await ben.call(forStaff.caseList, { size: 200 })
  const caseId = rows.find(({ thing }) => thing.id === commentId)?.id ?? ''
  const { app } = forum.database
  if (as.author) {
    const author_id = await memberOf(as.author)
    await app.updateTable('comment').set({ author_id }).where('id', '=', commentId).execute()
    await app.updateTable('report_case').set({ author_id }).where('id', '=', caseId).execute()
  }
  if (as.reporter) {
    const reporter_id = await memberOf(as.reporter)
    await app.updateTable('report').set({ reporter_id }).where('id', '=', reportId).execute()
  }
  return { caseId, reportId, commentId }
}

test('staff cannot decide reports about their own post, or remove one of them', async () => {
  const { caseId, reportId } = await aCase({ author: ann })
  const { version } = await ben.call(forStaff.caseView, { caseId })
  expect(await ann.isRefused(forStaff.decideCase, { caseId, version, outcome: 'failed' }, OwnCase)).toBe(true)
  expect(await ann.isRefused(forStaff.claimCase, { caseId }, OwnCase)).toBe(true)
  expect(await ann.isRefused(forStaff.askForReason, { reportId, version, question: 'Why?' }, OwnCase)).toBe(true)
  expect(await ann.isRefused(forStaff.removeReport, { reportId }, OwnCase)).toBe(true)
  await ben.call(forStaff.decideCase, { caseId, version, outcome: 'failed' })
})

test('staff cannot decide their own report', async () => {
  const { caseId } = await aCase({ reporter: ann })
  const { version, mayDecide } = await ann.call(forStaff.caseView, { caseId })
  expect(mayDecide).toBe(false)
  expect(await ann.isRefused(forStaff.decideCase, { caseId, version, outcome: 'succeeded' }, OwnCase)).toBe(true)
  expect(await ben.call(forStaff.caseView, { caseId })).toMatchObject({ mayDecide: true })
})

test('the reporter is hidden from the author, in the case and in searches by name', async () => {
  const { caseId } = await aCase({ author: ann })
  expect(await ann.call(forStaff.caseView, { caseId })).toMatchObject({ mayDecide: false, list: [{ reporter: null, record: null }] })
  expect((await ann.send('GET', forStaff.caseView.path, { caseId })).body).not.toContain('"tom"')
  const named = async (who: Staffer) => (await who.call(forStaff.caseList, { reporter: 'tom', size: 200 })).rows.map(({ id }) => id)
  expect(await named(ann)).not.toContain(caseId)
  expect(await named(ben)).toContain(caseId)
  expect((await ben.call(forStaff.caseView, { caseId })).list).toMatchObject([{ reporter: { name: 'tom' } }])
})

test('staff cannot decide their own appeal, and restoring takes the right to remove', async () => {
  const { caseId, commentId } = await aCase()
  const { version } = await ben.call(forStaff.caseView, { caseId })
  await ben.call(forStaff.decideCase, { caseId, version, outcome: 'succeeded', removes: true, why: 'No.' })
  const removalId = (await mei.call(contract.myRemovals, {})).removals[0]?.id ?? ''
  await mei.call(contract.appealRemoval, { removalId, text: 'Please look again.' })
  const clerk = await aStaffer(forum, ['report.view', 'report.decide'])
  const wish = { removalId, version: 1, answer: 'So be it.' }
  expect((await clerk.tryCall(forStaff.decideAppeal, { ...wish, outcome: 'restored' })).status).toBe(403)

  const author_id = await memberOf(ann)
  await forum.database.app.updateTable('comment').set({ author_id }).where('id', '=', commentId).execute()
  await forum.database.app.updateTable('removal').set({ author_id }).where('id', '=', removalId).execute()
  expect((await ann.call(forStaff.appealList, {})).rows).toMatchObject([{ id: removalId, mayDecide: false }])
  expect(await ann.isRefused(forStaff.decideAppeal, { ...wish, outcome: 'restored' }, OwnCase)).toBe(true)
  expect(await ann.isRefused(forStaff.claimAppeal, { removalId }, OwnCase)).toBe(true)
  await clerk.call(forStaff.decideAppeal, { ...wish, outcome: 'confirmed' })
})
