import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, renderedFrontend, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { addComment, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { rewardRules } from '#wallet/contract.ts'
import * as log from '#wallet/log-contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string

beforeAll(async () => {
  forum = await aForum({ openFrontend: renderedFrontend })
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

const rules = (settings: Parameters<typeof applySettings>[1]) => transact(forum.database, (tx) => applySettings(tx, settings))
let keys = 0
const key = () => ({ 'idempotency-key': `points-of-its-own-${++keys}` })

async function give(mei: Person, amount: string): Promise<void> {
  await chief.call(desk.adjustPoints, { memberId: mei.id, way: 'add', amount, reason: 'A present' }, key())
}

test('a visitor finds the rules of points at the foot of any page', async () => {
  const read = async (path: string) => (await forum.app.inject(path)).body
  expect((await read('/index')).split('<footer')[1]).toContain('href="/user/control/point"')
  expect(await read('/user/control/point')).toMatch(/如何获得积分.*发布话题/)
})

describe('a member’s page of points', () => {
  test('says where each entry came from, with a link while the post is on the page', async () => {
    const mei = await forum.member()
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(mei, topicId)
    const { log: page, level, account } = await mei.call(log.point, {})
    expect(account.balance).toBe('15')
    expect(level.points).toBe(15)
    expect(page.rows.map(({ kind, amount, balance, subject }) => [kind, amount, balance, subject?.kind, subject?.id])).toEqual([
      ['reward', '5', '15', 'comment', commentId],
      ['reward', '10', '10', 'topic', topicId],
    ])
    await mei.call(removeRemark, { kind: 'comment', id: commentId })
    const { rows } = (await mei.call(log.point, {})).log
    expect(rows.map(({ kind, rule, subject }) => [kind, rule, subject?.kind ?? null])).toEqual([
      ['rewardTaken', 'comment', null],
      ['reward', 'comment', null],
      ['reward', 'topic', 'topic'],
    ])
  })

  test('is paged by key, newest first, and filtered by kind and day', async () => {
    const mei = await forum.member()
    for (let number = 1; number <= log.perPage + 2; number++) await give(mei, String(number))
    const { rows, next } = (await mei.call(log.point, {})).log
    expect([rows.length, rows[0]?.amount]).toEqual([log.perPage, String(log.perPage + 2)])
    const older = (await mei.call(log.point, { before: next ?? '' })).log
    expect([older.rows.map(({ amount }) => amount), older.next]).toEqual([['2', '1'], null])
    expect((await mei.call(log.point, { kind: 'reward' })).log.rows).toEqual([])
    expect((await mei.call(log.point, { day: '2020-02-29' })).log.rows).toEqual([])
    const today = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' })
    expect((await mei.call(log.point, { kind: 'adjustment', day: today })).log.rows).toHaveLength(log.perPage)
  })

  test('shows the points earned today, up to the limits', async () => {
    await rules({ commentPoints: 7, commentPointsPerDay: 10, pointsPerDay: 0 })
    const mei = await forum.member()
    const topicId = await aTopic(await forum.member(), tagId)
    for (const text of ['one', 'two', 'three']) await mei.call(addComment, { topicId, body: says(text) })
    const { today, todayInAll } = await mei.call(log.point, {})
    expect(today.find(({ rule }) => rule === 'comment')).toEqual({ rule: 'comment', points: 7, most: 10, earned: 10 })
    expect(todayInAll).toEqual({ earned: 10, most: null })
    await rules({ commentPoints: 5, commentPointsPerDay: 100, pointsPerDay: 300 })
  })

  test('is shown to its member only', async () => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    await give(mei, '9')
    expect((await tom.call(log.point, {})).log.rows).toEqual([])
  })

  test('does not name a topic of a tag that the reader may look into no more', async () => {
    const mei = await forum.member()
    const closed = await aTag(forum.database)
    const topicId = await aTopic(await forum.member(), closed)
    await aComment(mei, topicId)
    await transact(forum.database, async (tx) => {
      await tx.updateTable('tag').set({ is_restricted: true }).where('id', '=', closed).execute()
      invalidate(tx, 'tags', 'role')
    })
    expect((await mei.call(log.point, {})).log.rows.map(({ subject }) => subject)).toEqual([null])
  })
})

test('the rules are public, and follow the settings at once', async () => {
  const visitor = forum.visitor()
  const topicRule = async () => (await visitor.call(log.pointRules, {})).rules.find(({ rule }) => rule === 'topic')
  expect(await topicRule()).toEqual({ rule: 'topic', points: 10, most: 100, mostFromOne: null })
  await rules({ topicPoints: 12, topicPointsPerDay: 0 })
  expect(await topicRule()).toEqual({ rule: 'topic', points: 12, most: null, mostFromOne: null })
  await rules({ topicPoints: 10, topicPointsPerDay: 100 })
})

describe('a statement', () => {
  test('has every entry of a month between its opening and closing balance', async () => {
    await rules({ allowCash: true })
    const mei = await forum.member()
    for (const [way, amount] of [
      ['add', '20.05'],
      ['take', '0.1'],
    ] as const)
      await chief.call(desk.adjustBalance, { memberId: mei.id, way, amount, reason: 'For tea' }, key())
    const { months, account } = await mei.call(log.balance, {})
    expect(account.balance).toBe('19.95')
    const statement = await mei.call(log.statement, { month: months[0] ?? '' })
    expect([statement.opening, statement.closing]).toEqual(['0.00', '19.95'])
    expect(statement.log.rows.map(({ amount, balance }) => [amount, balance])).toEqual([
      ['-0.10', '19.95'],
      ['20.05', '20.05'],
    ])
    const before = await mei.call(log.statement, { month: '2020-01' })
    expect([before.opening, before.closing, before.log.rows]).toEqual(['0.00', '0.00', []])
    await rules({ allowCash: false })
  })
})

describe('a preview', () => {
  const asNow = {
    ...Object.fromEntries(
      rewardRules.flatMap((rule) => [
        [`${rule}Points`, 5],
        [`${rule}PointsPerDay`, 0],
      ]),
    ),
    likedPointsPerDayFromOneMember: 0,
    pointsPerDay: 0,
  }

  test('shows the points under other rules, and how many members reach their limits', async () => {
    const mei = await forum.member()
    const before = await chief.call(desk.previewRules, asNow as never)
    const topicId = await aTopic(mei, tagId)
    for (const text of ['first', 'second', 'third']) await mei.call(addComment, { topicId, body: says(text) })
    const newRules = { ...asNow, topicPoints: 4, commentPoints: 3, commentPointsPerDay: 8, pointsPerDay: 11 }
    const { rules: seen, inAll } = await chief.call(desk.previewRules, newRules as never)
    const was = (rule: string) => before.rules.find((one) => one.rule === rule)
    const comments = seen.find(({ rule }) => rule === 'comment')
    expect(comments?.posts).toBe((was('comment')?.posts ?? 0) + 3)
    expect(comments?.now).toBe((was('comment')?.now ?? 0) + 15)
    expect(comments?.cappedWanted).toBeGreaterThanOrEqual(1)
    expect(inAll.cappedWanted).toBeGreaterThanOrEqual(1)
  })

  test('gives the very points that the rules gave', async () => {
    const fresh = await forum.member()
    const topicId = await aTopic(fresh, tagId)
    await rules({ commentPointsPerDay: 12, pointsPerDay: 20 })
    const others = await chief.call(desk.previewRules, asNow as never)
    for (const text of ['a', 'b', 'c', 'd']) await fresh.call(addComment, { topicId, body: says(`${text} of mine`) })
    const { today, todayInAll } = await fresh.call(log.point, {})
    const seen = await chief.call(desk.previewRules, asNow as never)
    expect(today.find(({ rule }) => rule === 'comment')?.earned).toBe(10)
    expect(todayInAll.earned).toBe(20)
    const [was, is] = [others, seen].map((one) => one.rules.find(({ rule }) => rule === 'comment'))
    expect([is?.posts, is?.now, seen.inAll.now]).toEqual([(was?.posts ?? 0) + 4, (was?.now ?? 0) + 10, others.inAll.now + 10])
    await rules({ commentPointsPerDay: 100, pointsPerDay: 300 })
    await fresh.call(removeTopic, { topicId })
    const after = await chief.call(desk.previewRules, asNow as never)
    expect(after.rules.find(({ rule }) => rule === 'topic')?.posts).toBe((seen.rules.find(({ rule }) => rule === 'topic')?.posts ?? 0) - 1)
  })

  test('is for staff with the right to see settings', async () => {
    const other = await aStaffer(forum, ['wallet.view'])
    expect((await other.tryCall(desk.previewRules, asNow as never)).status).toBe(403)
  })
})
