import { beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#notification/contract.ts'
import { aNotice, noticesOf } from '#notification/testing/factories.ts'
import * as notification from '#notification/server/notification.ts'
import * as forStaff from '#notification/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const unread = async (who: Person) => (await who.call(contract.unreadMessageCount, {})).systemNotifyCount
const ids = async (who: Person) => (await noticesOf(who)).map(({ id }) => id)
const copies = async () => (await forum.database.app.selectFrom('notice_copy').select('notice_id').execute()).length
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

function tell(who: Person): Promise<void> {
  return transact(forum.database, (tx) => notification.notify(tx, who.id, { kind: 'allRemoved', reason: 'spam' }))
}

async function comesToPass(noticeId: string): Promise<void> {
  const justNow = new Date()
  await forum.database.app.updateTable('notice').set({ sends_at: justNow }).where('id', '=', noticeId).execute()
}

describe('an announcement', () => {
  test('reaches the members at its time, and costs no row until it is read', async () => {
    const before = await forum.member()
    const rows = await copies()
    const noticeId = await aNotice(chief, 'We moved to a **new** house.')
    const after = await forum.member()
    expect([await unread(before), await unread(after)]).toEqual([1, 0])
    expect(await noticesOf(after)).toEqual([])
    expect(await copies()).toBe(rows)
    const [first] = await noticesOf(before)
    expect(first).toMatchObject({ id: noticeId, readAt: null, says: { kind: 'announcement' } })
    await before.call(contract.markRead, { noticeIds: [noticeId] })
    await before.call(contract.markRead, { noticeIds: [noticeId] })
    expect(await copies()).toBe(rows + 1)
    expect(await unread(before)).toBe(0)
    expect((await noticesOf(before))[0]?.readAt).not.toBeNull()
  })

  test('is read in the language of the reader; a missing language is replaced by the other', async () => {
    const mei = await forum.member()
    await aNotice(chief, 'Rest day', { textZh: '休息日 [详情](https://example.org/)' })
    await aNotice(chief, 'Only in English')
    const [one, both] = (await noticesOf(mei)).map(({ says }) => (says.kind === 'announcement' ? says : null))
    expect([both?.en[0]?.html, both?.zh[0]?.html]).toEqual(['<p>Rest day</p>', expect.stringContaining('href="https://example.org/"')])
    expect(one?.zh).toEqual(one?.en)
  })

  test('of the longest text is shown whole, and begins in the list of staff as it was written', async () => {
    const mei = await forum.member()
    const textEn = '- tea\n'.repeat(1_600)
    const noticeId = await aNotice(chief, textEn, { textZh: '茶\n\n'.repeat(3_000) })
    const [first] = await noticesOf(mei)
    const says = first?.says.kind === 'announcement' ? first.says : null
    expect([says?.en[0]?.html.match(/<li>/g)?.length, says?.zh[0]?.html.match(/<p>/g)?.length]).toEqual([1_600, 3_000])
    const { rows } = await chief.call(forStaff.noticeList, {})
    expect(rows.find(({ id }) => id === noticeId)).toMatchObject({
      en: expect.stringMatching(/^(tea ){29}tea…$/),
      zh: expect.stringMatching(/^(茶 ){59}茶…$/),
    })
  })

  test('waits for its time; until then it can be edited and withdrawn, and is invisible', async () => {
    const mei = await forum.member()
    const noticeId = await aNotice(chief, 'Soon', { sendsAt: inAnHour() })
    const seen = await chief.call(forStaff.noticeSource, { noticeId })
    expect([seen.state, await ids(mei), await unread(mei)]).toEqual(['waiting', [], 0])
    expect((await mei.tryCall(contract.deleteNotice, { noticeId })).status).toBe(404)
    const again = { noticeId, version: seen.version, textEn: 'Soon, really', when: 'later', sendsAt: inAnHour() } as const
    await chief.call(forStaff.editNotice, again)
    expect(await chief.isRefused(forStaff.editNotice, again, contract.ChangedBy)).toBe(true)
    await chief.call(forStaff.withdrawNotice, { noticeId })
    expect(await chief.call(forStaff.noticeSource, { noticeId })).toMatchObject({ state: 'draft', sendsAt: null, textEn: 'Soon, really' })
    await comesToPass(noticeId)
    expect(await ids(mei)).toEqual([noticeId])
    expect(await chief.isRefused(forStaff.editNotice, again, contract.SentAlready)).toBe(true)
    expect(await chief.isRefused(forStaff.withdrawNotice, { noticeId }, contract.SentAlready)).toBe(true)
  })

  test('says something, and is not sent in the past', async () => {
    const wish = { textEn: 'Hello', when: 'later' } as const
    expect(await chief.isRefused(forStaff.addNotice, { when: 'now', textEn: ' ' }, contract.TextNeeded)).toBe(true)
    expect(await chief.isRefused(forStaff.addNotice, wish, contract.TimeNeeded)).toBe(true)
    const past = { ...wish, sendsAt: '2020-01-01T00:00:00Z' }
    expect(await chief.isRefused(forStaff.addNotice, past, contract.TooSoon)).toBe(true)
  })

  test('is withdrawn and restored, with each member’s marks; one that waited then is a draft', async () => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    const noticeId = await aNotice(chief, 'A mistake')
    const waiting = await aNotice(chief, 'Later', { sendsAt: inAnHour() })
    await mei.call(contract.deleteNotice, { noticeId })
    await chief.call(forStaff.removeNotices, { ids: [noticeId, waiting] })
    expect([await ids(tom), await unread(tom)]).toEqual([[], 0])
    const removed = await chief.call(forStaff.noticeList, { state: 'removed' })
    expect(removed.rows.map(({ id }) => id)).toEqual([waiting, noticeId])
    await chief.call(forStaff.restoreNotices, { ids: [noticeId, waiting] })
    expect([await ids(tom), await ids(mei)]).toEqual([[noticeId], []])
    expect((await chief.call(forStaff.noticeList, { state: 'draft', keyword: 'LATER' })).rows.map(({ id }) => id)).toEqual([waiting])
    const actions = (await chief.call(auditLog, { about: `notice ${noticeId}` })).rows.map(({ action }) => action)
    expect(actions).toEqual(['announcement.restore', 'announcement.remove', 'announcement.add'])
  })

  test('is found by its state, its words and when it is sent', async () => {
    const noticeId = await aNotice(chief, 'A 100% rare word')
    const find = async (filters: object) => (await chief.call(forStaff.noticeList, filters)).rows.map(({ id }) => id)
    expect(await find({ state: 'sent', keyword: '100% RARE' })).toEqual([noticeId])
    expect(await find({ keyword: '100% rare', since: inAnHour() })).toEqual([])
    expect(await find({ keyword: '100% rare', state: 'waiting' })).toEqual([])
  })

  test('takes the right and a recent proof of the password', async () => {
    const helper = await aStaffer(forum, ['content.view'])
    expect((await helper.tryCall(forStaff.addNotice, { textEn: 'Hi', when: 'now' })).status).toBe(403)
    const writer = await aStaffer(forum, ['announcement.send'])
    await aNotice(writer, 'Hi')
    const longAgo = new Date(Date.now() - 11 * 60_000)
    await forum.database.app.updateTable('staff_session').set({ proved_at: longAgo }).where('staff_id', '=', writer.id).execute()
    expect((await writer.tryCall(forStaff.addNotice, { textEn: 'Hi', when: 'now' })).status).toBe(428)
  })
})

describe('a personal notice', () => {
  test('is its member’s alone: to mark as read, one or all, and to delete', async () => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    await tell(mei)
    await tell(mei)
    const everybody = await aNotice(chief, 'To all')
    const [, second, first] = await ids(mei)
    expect([await unread(mei), await unread(tom)]).toEqual([3, 1])
    expect((await tom.tryCall(contract.deleteNotice, { noticeId: first ?? '' })).status).toBe(404)
    await tom.call(contract.markRead, { noticeIds: [first ?? ''] })
    expect(await unread(mei)).toBe(3)
    await mei.call(contract.deleteNotice, { noticeId: first ?? '' })
    expect(await ids(mei)).toEqual([everybody, second])
    await mei.call(contract.markAllRead, {})
    expect([await unread(mei), await unread(tom)]).toEqual([0, 1])
    await mei.call(contract.deleteNotice, { noticeId: everybody })
    expect((await mei.tryCall(contract.deleteNotice, { noticeId: everybody })).status).toBe(404)
    expect(await ids(mei)).toEqual([second])
  })

  test('comes in pages of twenty, and counts no further than a hundred', async () => {
    const mei = await forum.member()
    for (let count = 0; count < 101; count++) await tell(mei)
    const last = await mei.call(contract.systemNotifyList, { page: 6 })
    expect([last.notices.length, last.total, last.pages, last.unread]).toEqual([1, 101, 6, 100])
    expect((await mei.tryCall(contract.systemNotifyList, { page: 7 })).status).toBe(404)
  })

  test('is nothing for a visitor', async () => {
    const visitor = forum.visitor()
    for (const call of [contract.unreadMessageCount, contract.systemNotifyList, contract.markAllRead])
      expect((await visitor.tryCall(call, {})).status).toBe(401)
    expect((await visitor.tryCall(contract.markRead, { noticeIds: ['1'] })).status).toBe(401)
    expect((await visitor.tryCall(contract.deleteNotice, { noticeId: '1' })).status).toBe(401)
  })

  test('is answered beside private messages and notifications, which there are none of', async () => {
    const mei = await forum.member()
    expect(await mei.call(contract.unreadMessageCount, {})).toEqual({
      privateMessageCount: 0,
      systemNotifyCount: 0,
      remindCount: 0,
      messageRevision: '0',
    })
  })
})
