import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { login, sessions } from '#account/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { runs } from '#base/testing/extent.ts'
import { addComment, listComments } from '#comment/contract.ts'
import { aComment, aReply, manyComments } from '#comment/testing/factories.ts'
import { memberView } from '#member/contract.ts'
import { appealRemoval, myRemovals } from '#report/contract.ts'
import { decideAppeal } from '#report/staff-contract.ts'
import { Banned } from '#role/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as contract from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/clean.ts'
import { postsPerTransaction } from '#member-cleanup/server/post-batch.ts'
import { have, standing, talkOf, wrongCounts } from '#member-cleanup/testing/factories.ts'
import { listTopics, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagIds: string[]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagIds = [await aTag(forum.database), await aTag(forum.database)]
})

const clean = (mei: Person, andThen: 'disable' | 'ban' = 'disable') =>
  chief.call(contract.clean, { memberId: mei.id, reason: 'spam', andThen })

/** The clean-up ended their sessions. */
async function again(who: Person): Promise<void> {
  who.pair = null
  who.pair = sessionOf(await who.call(login, { account: who.account, password: who.password }))
}

test('cleaning up after a member leaves them the way to appeal against each thing, until it is back', async () => {
  const mei = await forum.member()
  const topicId = await aTopic(mei, tagIds[0] ?? '', { title: 'On kettles' })
  const commentId = await aComment(mei, topicId, { body: says('A clay one') })
  const replyId = await aReply(mei, commentId, { body: says('Or glass') })
  const { cleaningId } = await chief.call(contract.clean, { memberId: mei.id, reason: 'spam', andThen: 'nothing' })
  await again(mei)
  const { removals } = await mei.call(myRemovals, {})
  expect(removals.map(({ thing, why, isBack }) => ({ ...thing, why, isBack }))).toEqual(
    expect.arrayContaining([
      {
        kind: 'topic',
        thread: 'topic',
        id: topicId,
        topicId,
        commentId: null,
        title: 'On kettles',
        excerpt: expect.any(String),
        why: 'spam',
        isBack: false,
      },
      {
        kind: 'comment',
        thread: 'topic',
        id: commentId,
        topicId,
        commentId,
        title: 'On kettles',
        excerpt: 'A clay one',
        why: 'spam',
        isBack: false,
      },
      {
        kind: 'reply',
        thread: 'topic',
        id: replyId,
        topicId,
        commentId,
        title: 'On kettles',
        excerpt: 'Or glass',
        why: 'spam',
        isBack: false,
      },
    ]),
  )
  const removalId = removals.find(({ thing }) => thing.kind === 'topic')?.id ?? ''
  await mei.call(appealRemoval, { removalId, text: 'It is no spam.' })
  const other = await aStaffer(forum, ['report.decide', 'content.remove'])
  await other.call(decideAppeal, { removalId, version: 1, outcome: 'restored', answer: 'You are right.' })
  expect((await forum.visitor().call(thread, { topicId })).title).toBe('On kettles')
  expect(await chief.call(contract.undoCleaning, { cleaningId })).toMatchObject({ restored: 2 })
  expect((await mei.call(myRemovals, {})).removals.every(({ isBack }) => isBack)).toBe(true)
  expect(await wrongCounts(forum.database)).toEqual([])
})

describe('cleaning up after a member', () => {
  test('bans them, or lifts the ban, only with the right to ban', async () => {
    const [mei, lin, cleaner] = [await forum.member(), await forum.member(), await aStaffer(forum, ['member.clean'])]
    const inputFor = (memberId: string) => ({ memberId, reason: 'spam' })
    const tries = [{ ...inputFor(mei.id), andThen: 'disable' } as const, { ...inputFor(mei.id), andThen: 'ban' } as const]
    for (const one of tries) expect((await cleaner.tryCall(contract.clean, one)).status).toBe(403)
    const own = await cleaner.call(contract.clean, { ...inputFor(mei.id), andThen: 'nothing' })
    const { cleaningId } = await clean(lin)
    expect((await cleaner.tryCall(contract.undoCleaning, { cleaningId })).status).toBe(403)
    expect((await cleaner.tryCall(contract.undoCleaning, { cleaningId: own.cleaningId })).status).toBe(200)
  })

  test('takes all they wrote off the page, keeps them out, and gives it all back when it is undone', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    const own = await aTopic(mei, tagIds[0] ?? '', { title: 'Buy tea here' })
    const other = await aTopic(lin, tagIds[0] ?? '')
    const commentId = await aComment(mei, other)
    await aReply(lin, commentId)
    await aReply(mei, await aComment(lin, other))
    const before = await standing(forum.database)
    const { cleaningId, ...progress } = await clean(mei)
    expect(progress).toEqual({ status: 'removed', removed: 3, restored: 0 })
    expect((await forum.visitor().tryCall(thread, { topicId: own })).status).toBe(404)
    const { comments } = await forum.visitor().call(listComments, { topicId: other })
    expect(comments.map((one) => [one.isDeleted, one.replyCount])).toEqual([
      [true, 1],
      [false, 0],
    ])
    expect(await wrongCounts(forum.database)).toEqual([])
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
    expect((await chief.call(memberView, { memberId: mei.id })).state).toBe('disabled')
    const { topics } = await forum.visitor().call(listTopics, {})
    expect(topics.map((topic) => topic.title)).not.toContain('Buy tea here')

    expect(await chief.call(contract.undoCleaning, { cleaningId })).toMatchObject({ status: 'restored', restored: 3 })
    expect(await standing(forum.database)).toEqual(before)
    expect((await chief.call(memberView, { memberId: mei.id })).state).toBe('active')
    expect((await forum.visitor().call(thread, { topicId: own })).title).toBe('Buy tea here')
    expect(await chief.isRefused(contract.undoCleaning, { cleaningId }, contract.CannotUndo)).toBe(true)
  })

  test('may ban them from everything instead, which undoing lifts', async () => {
    const mei = await forum.member()
    const topicId = await aTopic(mei, tagIds[0] ?? '')
    const { cleaningId } = await clean(mei, 'ban')
    const { bans } = await chief.call(memberView, { memberId: mei.id })
    expect(bans.length).toBeGreaterThan(4)
    await chief.call(contract.undoCleaning, { cleaningId })
    expect((await chief.call(memberView, { memberId: mei.id })).state).toBe('active')
    const again = Object.assign(forum.visitor(), { pair: null })
    expect(await again.isRefused(addComment, { topicId, body: says('x') }, Banned)).toBe(false)
  })

  test('after any discussion among several members, the counts are right, and the undo restores all', async () => {
    await fc.assert(
      fc.asyncProperty(talkOf(3), fc.nat(2), async (talk, who) => {
        const people = [await forum.member(), await forum.member(), await forum.member()]
        await have(talk, people, tagIds)
        const before = await standing(forum.database)
        const { cleaningId } = await clean(people[who] as Person)
        expect(await wrongCounts(forum.database)).toEqual([])
        await chief.call(contract.undoCleaning, { cleaningId })
        expect(await standing(forum.database)).toEqual(before)
      }),
      { numRuns: runs(8), endOnFailure: true },
    )
  })

  test('is started once by two at once, and again only with new posts', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    const topicId = await aTopic(lin, tagIds[1] ?? '')
    await manyComments(forum.database, mei.id, topicId, 3)
    const ask = () => chief.tryCall(contract.clean, { memberId: mei.id, reason: 'spam' })
    const both = await Promise.all([ask(), ask()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await chief.isRefused(contract.clean, { memberId: mei.id, reason: 'spam' }, contract.CleanAlready)).toBe(true)
    await manyComments(forum.database, mei.id, await aTopic(lin, tagIds[1] ?? ''), 1)
    expect((await clean(mei)).removed).toBe(1)
  })

  test('is resumed after it died half-way, there and back', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    const topicId = await aTopic(lin, tagIds[1] ?? '')
    const many = 3 * postsPerTransaction + 7
    await manyComments(forum.database, mei.id, topicId, many)
    const before = await standing(forum.database)
    const { cleaningId, status, removed } = await clean(mei)
    expect([status, removed]).toEqual(['removing', postsPerTransaction])
    expect(await chief.isRefused(contract.clean, { memberId: mei.id, reason: 'again' }, contract.AlreadyAtIt)).toBe(true)
    await Promise.all([resume(forum.database), resume(forum.database)])
    const { rows } = await chief.call(contract.cleanings, { memberId: mei.id })
    expect(rows).toMatchObject([{ status: 'removed', removed: many, by: chief.account, reason: 'spam', undoUntil: expect.any(String) }])
    expect(await wrongCounts(forum.database)).toEqual([])
    expect((await chief.call(contract.undoCleaning, { cleaningId })).status).toBe('restoring')
    await resume(forum.database)
    expect(await standing(forum.database)).toEqual(before)
  })

  test('is undone from the middle, and leaves alone posts restored by others', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    await manyComments(forum.database, mei.id, await aTopic(lin, tagIds[1] ?? ''), postsPerTransaction + 20)
    const before = await standing(forum.database)
    const { cleaningId } = await clean(mei)
    await chief.call(contract.undoCleaning, { cleaningId })
    await resume(forum.database)
    expect(await standing(forum.database)).toEqual(before)
  })

  test('cannot be undone after thirty days', async () => {
    const mei = await forum.member()
    const { cleaningId } = await clean(mei)
    await sql`update member_cleanup set began_at = began_at - interval '31 days' where id = ${cleaningId}`.execute(forum.database.app)
    expect(await chief.isRefused(contract.undoCleaning, { cleaningId }, contract.CannotUndo)).toBe(true)
    expect((await chief.call(contract.cleanings, { memberId: mei.id })).rows).toMatchObject([{ undoUntil: null }])
  })
})
