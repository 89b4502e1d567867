import { beforeAll, describe, expect, test } from 'vitest'
import { ChangedSince } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { editRemarkAsStaff, editTopicAsStaff, remarkForStaff, withholdVersion } from '#content/contract.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import { addCategory, editCategory } from '#report/category-contract.ts'
import * as contract from '#report/contract.ts'
import { aReport } from '#report/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import * as forStaff from '#report/staff-contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let tom: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  mei = await forum.member('mei')
  tom = await forum.member('tom')
  topicId = await aTopic(mei, await aTag(forum.database), { title: 'How to store white tea' })
  await change({ reportCaptchaAfter: 100 })
})

async function change(values: Partial<Settings>): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function leaf(name: string, kind: 'topic' | 'comment' = 'topic', thingId = topicId): Promise<string> {
  const { groups } = await tom.call(contract.reportForm, { kind, thingId })
  return groups.flatMap(({ categories }) => categories).find((one) => one.name.en === name)?.id ?? ''
}

async function aPicture(who: Person): Promise<string> {
  return (await sendFile(who, '/file/picture', { bytes: await plain().png().toBuffer() })).json().file
}

describe('a report', () => {
  test('is on the list of its reporter, with the text of that time', async () => {
    const commentId = await aComment(mei, topicId, { body: says('You are all fools.') })
    const reportId = await aReport(tom, commentId)
    const [first] = (await tom.call(contract.myReports, {})).reports
    expect(first).toMatchObject({
      id: reportId,
      thing: { kind: 'comment', id: commentId, topicId, title: 'How to store white tea', excerpt: 'You are all fools.' },
      category: { en: 'Insults somebody', zh: '人身攻击' },
      status: 'pending',
      result: '',
    })
    expect((await mei.call(contract.myReports, {})).reports).toEqual([])
  })

  test('shows no text that staff edited out, or hide from members later', async () => {
    const secret = 'My neighbour lives at 12 Mill Lane'
    const ann = await forum.member()
    const about = await aTopic(mei, await aTag(forum.database), { title: secret, body: says(secret) })
    const [now, later] = [await aComment(mei, about, { body: says(secret) }), await aComment(mei, about, { body: says(secret) })]
    const secretCount = async () => JSON.stringify((await ann.call(contract.myReports, {})).reports).split(secret).length - 1
    for (const [kind, thingId] of [
      ['topic', about],
      ['comment', now],
      ['comment', later],
    ] as const)
      await aReport(ann, thingId, { kind })
    expect(await secretCount()).toBe(6)
    await chief.call(editTopicAsStaff, { topicId: about, version: 1, title: 'A neighbour', body: says('Mine.'), withholds: true })
    expect(await secretCount()).toBe(2)
    await chief.call(editRemarkAsStaff, { kind: 'comment', id: now, version: 1, body: says('Gone.'), withholds: true })
    await chief.call(editRemarkAsStaff, { kind: 'comment', id: later, version: 1, body: says('Gone, too.') })
    expect(await secretCount()).toBe(1)
    const { versions } = await chief.call(remarkForStaff, { kind: 'comment', id: later })
    await chief.call(withholdVersion, { kind: 'comment', versionId: versions.at(-1)?.id ?? '' })
    expect((await ann.call(contract.myReports, {})).reports.map(({ thing }) => [thing.title, thing.excerpt])).toEqual([
      ['A neighbour', 'Gone, too.'],
      ['A neighbour', 'Gone.'],
      ['A neighbour', 'Mine.'],
    ])
  })

  test('is made once by one member while it is open', async () => {
    const replyId = await aReply(mei, await aComment(mei, topicId))
    await aReport(tom, replyId, { kind: 'reply' })
    const input = { kind: 'reply', thingId: replyId } as const
    expect(await tom.call(contract.reportForm, input)).toMatchObject({ isReported: true, isOpen: true })
    const again = { ...input, categoryId: await leaf('Fraud') }
    expect(Object.keys((await tom.tryCall(contract.addReport, again)).error)).toEqual([contract.AlreadyReported.field])
    expect(await (await forum.member()).call(contract.addReport, again)).toHaveProperty('reportId')
  })

  test('several reports at once make one case', async () => {
    const thingId = await aComment(mei, topicId)
    const crowd = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
    const categoryId = await leaf('Advertising or spam')
    await Promise.all(crowd.map((one) => one.call(contract.addReport, { kind: 'comment', thingId, categoryId })))
    const { rows } = await chief.call(forStaff.caseList, { author: 'mei' })
    expect(rows.filter(({ thing }) => thing.id === thingId)).toEqual([expect.objectContaining({ reports: 6 })])
  })

  test('is refused for one’s own post, a removed one, without a required reason, or when reports are closed', async () => {
    const own = { kind: 'topic', thingId: topicId, categoryId: await leaf('Off topic') } as const
    expect(await mei.isRefused(contract.addReport, own, contract.OwnPost)).toBe(true)
    const removedCommentId = await aComment(mei, topicId)
    await mei.call(removeRemark, { kind: 'comment', id: removedCommentId })
    expect((await tom.tryCall(contract.addReport, { ...own, kind: 'comment', thingId: removedCommentId })).status).toBe(404)
    const privacy = await leaf('Private information')
    expect(await tom.isRefused(contract.addReport, { ...own, categoryId: privacy }, contract.ReasonNeeded)).toBe(true)
    const unseen = { ...own, categoryId: privacy, reason: '\u200b\u202e' }
    expect(await tom.isRefused(contract.addReport, unseen, contract.ReasonNeeded)).toBe(true)
    const groupId = (await tom.call(contract.reportForm, { kind: 'topic', thingId: topicId })).groups[0]?.id ?? ''
    expect(await tom.isRefused(contract.addReport, { ...own, categoryId: groupId }, contract.CategoryGone)).toBe(true)
    expect((await forum.visitor().tryCall(contract.addReport, own)).status).toBe(401)
    await change({ allowReports: false })
    expect(await tom.isRefused(contract.addReport, own, FunctionClosed)).toBe(true)
    await change({ allowReports: true })
  })

  test('asks for a captcha after many reports within a minute', async () => {
    await change({ reportCaptchaAfter: 1 })
    const lily = await forum.member()
    await aReport(lily, await aComment(mei, topicId))
    const thingId = await aComment(mei, topicId)
    expect((await lily.call(contract.reportForm, { kind: 'comment', thingId })).needsCaptcha).toBe(true)
    const { error } = await lily.tryCall(contract.addReport, { kind: 'comment', thingId, categoryId: await leaf('Fraud') })
    expect(error).toHaveProperty('captcha')
    await change({ reportCaptchaAfter: 100 })
  })

  test('is removed from the reporter’s own list only', async () => {
    const lily = await forum.member()
    const thingId = await aComment(mei, topicId)
    const reportId = await aReport(lily, thingId)
    expect((await tom.tryCall(contract.hideReport, { reportId })).status).toBe(404)
    await lily.call(contract.hideReport, { reportId })
    expect((await lily.call(contract.myReports, {})).reports).toEqual([])
    const { rows } = await chief.call(forStaff.caseList, { reporter: lily.account })
    expect((await chief.call(forStaff.caseView, { caseId: rows[0]?.id ?? '' })).list).toMatchObject([
      { id: reportId, isDeletedByUser: true },
    ])
  })
})

describe('the pictures of a report', () => {
  const seen = (who: Person | null, file: string) =>
    forum.app.inject({ method: 'GET', url: `/file/${file}`, ...(who && { headers: who.headers('GET') }) })

  test('are three at most, the reporter’s own, and come with a text', async () => {
    const kind = 'topic'
    const lily = await forum.member()
    const categoryId = await leaf('Fraud')
    const files = await Promise.all(Array.from({ length: 4 }, () => aPicture(lily)))
    const draft = { kind, thingId: topicId, categoryId, reason: 'See here.' } as const
    expect(await lily.isRefused(contract.addReport, { ...draft, pictures: files }, contract.TooManyPictures)).toBe(true)
    expect(
      await lily.isRefused(contract.addReport, { ...draft, reason: '', pictures: [files[0] ?? ''] }, contract.PicturesNeedReason),
    ).toBe(true)
    expect(await tom.isRefused(contract.addReport, { ...draft, pictures: [files[0] ?? ''] }, contract.PictureNotYours)).toBe(true)
    await lily.call(contract.addReport, { ...draft, pictures: files.slice(0, 3) })
    expect((await lily.call(contract.myReports, {})).reports[0]?.pictures).toHaveLength(3)
  })

  test('are visible to their reporter and to staff only', async () => {
    const lily = await forum.member()
    const file = await aPicture(lily)
    const reportId = await aReport(lily, topicId, { kind: 'topic', reason: 'This is copied.', pictures: [file] })
    expect((await seen(null, file)).statusCode).toBe(404)
    expect((await seen(mei, file)).statusCode).toBe(404)
    expect((await chief.call(forStaff.reportPicture, { reportId, file })).src).toMatch(/^data:image\/webp;base64,UklGR/)
    const other = await aPicture(lily)
    expect((await chief.tryCall(forStaff.reportPicture, { reportId, file: other })).status).toBe(404)
    const clerk = await aStaffer(forum, ['content.view'])
    expect((await clerk.tryCall(forStaff.reportPicture, { reportId, file })).status).toBe(403)
  })
})

test('a category saved by another meanwhile is not overwritten', async () => {
  const { categoryId } = await chief.call(addCategory, { zh: '茶', en: 'Tea' })
  await chief.call(editCategory, { categoryId, version: 1, zh: '绿茶', en: 'Green tea' })
  expect(await chief.isRefused(editCategory, { categoryId, version: 1, zh: '红茶', en: 'Black tea' }, ChangedSince)).toBe(true)
})
