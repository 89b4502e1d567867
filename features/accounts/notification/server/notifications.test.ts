import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { runs } from '#base/testing/extent.ts'
import { hasLockWait } from '#base/testing/lock-wait.ts'
import { addComment, addReply, editRemark, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { restoreRemark } from '#content/contract.ts'
import { addFollow, removeFollow } from '#follow/contract.ts'
import { kinds, type Kind } from '#kind/contract.ts'
import { addLike, removeLike } from '#like/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import * as contract from '#notification/notification-contract.ts'
import { notifyOfEvents } from '#notification/server/notification.ts'
import { adoptAnswer } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { publishTopic, removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, mention, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

const listOf = async (who: Person) => (await who.call(contract.notificationList, {})).notifications
const notificationsOf = async (who: Person) => (await listOf(who)).map(({ kind, people }) => `${kind} ${people}`)
const unread = async (who: Person) => (await who.call(unreadMessageCount, {})).remindCount
const naming = (...people: Person[]) => documentWith(paragraph(...people.map(({ id }) => mention(id)), { type: 'text', text: ' look' }))

describe('a new post', () => {
  test('notifies the topic’s author, once for all comments until they read it, and none of their own', async () => {
    const topicId = await aTopic(mei, tagId)
    await aComment(mei, topicId)
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([[], 0])
    await aComment(tom, topicId, { body: says('First') })
    const second = await aComment(bo, topicId, { body: says('Second') })
    const [one, ...others] = await listOf(mei)
    expect(others).toEqual([])
    expect(one).toMatchObject({
      kind: 'commented',
      people: 2,
      readAt: null,
      post: { kind: 'comment', id: second, topicId, excerpt: 'Second' },
    })
    expect(one?.members.map(({ id }) => id)).toEqual([bo.id, tom.id])
    expect([await unread(mei), await unread(tom), await unread(bo)]).toEqual([1, 0, 0])
    await mei.call(contract.markNotifications, { notificationIds: [one?.id ?? ''] })
    await aComment(tom, topicId)
    expect(await notificationsOf(mei)).toEqual(['commented 1', 'commented 2'])
    expect(await unread(mei)).toBe(1)
  })

  test('notifies of an answer like of a comment, and leads to the answer', async () => {
    const questionId = await aQuestion(mei, tagId)
    const id = await anAnswer(tom, questionId)
    expect((await listOf(mei))[0]).toMatchObject({
      kind: 'commented',
      post: { kind: 'comment', thread: 'question', id, topicId: questionId },
    })
  })

  test('a reply notifies the comment’s author, the answered one, others who replied, and the topic’s author', async () => {
    const ann = await forum.member()
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(tom, topicId)
    const first = await aReply(bo, commentId)
    await aReply(ann, commentId, { answers: first })
    expect(await notificationsOf(mei)).toEqual(['repliedInThread 2', 'commented 1'])
    expect(await notificationsOf(tom)).toEqual(['replied 2'])
    expect(await notificationsOf(bo)).toEqual(['replyAnswered 1'])
    await aReply(tom, commentId)
    expect(await notificationsOf(bo)).toEqual(['repliedBeside 1', 'replyAnswered 1'])
    expect(await notificationsOf(ann)).toEqual(['repliedBeside 1'])
    expect(await notificationsOf(tom)).toEqual(['replied 2'])
  })

  test('a post notifies a member once, by the most specific kind', async () => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(tom, topicId)
    await aComment(bo, topicId, { quotes: commentId, body: naming(mei) })
    expect(await notificationsOf(mei)).toEqual(['mentioned 1', 'commented 1'])
    expect(await notificationsOf(tom)).toEqual(['quoted 1'])
    await aReply(bo, commentId, { body: naming(tom) })
    expect(await notificationsOf(tom)).toEqual(['mentioned 1', 'quoted 1'])
  })

  test.each(['topic', 'question'] as const)('a mention in every kind of post of a %s leads there', async (thread) => {
    const opens = thread === 'topic' ? aTopic : aQuestion
    const topicId = await opens(mei, tagId, { body: naming(tom, mei) })
    const { commentId } = await mei.call(addComment, { topicId, body: naming(tom) })
    const { replyId } = await mei.call(addReply, { commentId, body: naming(tom) })
    const posts = (await listOf(tom)).map(({ kind, post }) => [kind, post?.kind, post?.thread, post?.id])
    expect(posts).toEqual([
      ['mentioned', 'reply', thread, replyId],
      ['mentioned', 'comment', thread, commentId],
      ['mentioned', 'topic', thread, topicId],
    ])
    expect(await notificationsOf(mei)).toEqual([])
  })

  test('a mention by an edit notifies the member then, unless they were notified before', async () => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(bo, topicId)
    await bo.call(editRemark, { kind: 'comment', id: commentId, body: naming(tom, mei) })
    expect([await notificationsOf(tom), await notificationsOf(mei)]).toEqual([['mentioned 1'], ['commented 1']])
    await bo.call(editRemark, { kind: 'comment', id: commentId, body: naming(tom) })
    expect(await notificationsOf(tom)).toEqual(['mentioned 1'])
  })
})

describe('a removed post', () => {
  test('has no notification while it is away, and a read one is not new when it is back', async () => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(tom, topicId)
    const replyId = await aReply(bo, commentId)
    await bo.call(removeRemark, { kind: 'reply', id: replyId })
    expect([await notificationsOf(mei), await notificationsOf(tom)]).toEqual([['commented 1'], []])
    await mei.call(contract.markAllNotifications, {})
    await tom.call(removeRemark, { kind: 'comment', id: commentId })
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([[], 0])
    await chief.call(restoreRemark, { kind: 'comment', id: commentId })
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([['commented 1'], 0])
  })

  test('as a topic has no notifications, and neither has one without access', async () => {
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId, { body: naming(bo) })
    expect([await unread(bo), await unread(mei)]).toEqual([1, 1])
    const { tagId: closed } = await aClosedTag(forum.database)
    await sql`update topic set tag_id = ${closed} where id = ${topicId}`.execute(forum.database.app)
    expect([await notificationsOf(bo), await unread(bo)]).toEqual([[], 0])
    await sql`update topic set tag_id = ${tagId} where id = ${topicId}`.execute(forum.database.app)
    expect(await unread(bo)).toBe(1)
    await mei.call(removeTopic, { topicId })
    expect([await notificationsOf(bo), await unread(bo), (await bo.call(contract.notificationList, {})).total]).toEqual([[], 0, 0])
  })
})

describe('a like', () => {
  test.each(kinds)('of a %s notifies its author, joins others, and is withdrawn with an unlike', async (kind) => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(mei, topicId)
    const id = { topic: topicId, comment: commentId, reply: await aReply(mei, commentId) }[kind]
    for (const who of [tom, bo]) await who.call(addLike, { kind, id })
    await tom.call(addLike, { kind, id })
    expect((await listOf(mei))[0]).toMatchObject({ kind: 'liked', people: 2, post: { kind, id } })
    await bo.call(removeLike, { kind, id })
    expect(await notificationsOf(mei)).toEqual(['liked 1'])
    await tom.call(removeLike, { kind, id })
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([[], 0])
  })

  test('given and taken back by several at once is notified as it came out', async () => {
    const topicId = await aTopic(mei, tagId)
    const of = { kind: 'topic', id: topicId } as const
    const action = fc.record({ who: fc.nat(1), does: fc.constantFrom('like', 'unlike', 'read') })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 16 }), async (actions) => {
        await Promise.all(
          actions.map(async ({ who, does }) => {
            if (does === 'read') await mei.call(contract.markAllNotifications, {})
            else await [tom, bo][who]?.call(does === 'like' ? addLike : removeLike, of)
          }),
        )
        const { rows } = await sql<{ likes: number; told: number; counted: number }>`
          select (select count(*)::int from post_like where post_kind = 'topic' and post_id = ${topicId}) as likes,
            (select count(*)::int from notification_event where member_id = ${mei.id} and not is_gone) as told,
            (select coalesce(sum(count), 0)::int from notification where member_id = ${mei.id}) as counted`.execute(forum.database.app)
        expect(rows[0]?.told).toBe(rows[0]?.likes)
        expect(rows[0]?.counted).toBe(rows[0]?.likes)
      }),
      { numRuns: runs(25) },
    )
  })
})

test('an accepted answer notifies its author, and a withdrawn acceptance does not', async () => {
  const questionId = await aQuestion(mei, tagId)
  const [one, other] = [await anAnswer(tom, questionId), await anAnswer(bo, questionId)]
  await mei.call(adoptAnswer, { questionId, commentId: one }, newIdempotencyKey())
  expect((await listOf(tom))[0]).toMatchObject({ kind: 'accepted', post: { id: one }, members: [{ id: mei.id }] })
  await mei.call(adoptAnswer, { questionId, commentId: other }, newIdempotencyKey())
  expect([await notificationsOf(tom), await notificationsOf(bo)]).toEqual([[], ['accepted 1']])
})

describe('a notification', () => {
  test('is mine alone to mark and to delete; all can be marked, and unmarked where nothing came meanwhile', async () => {
    const [one, two] = [await aTopic(mei, tagId), await aTopic(mei, tagId)]
    await aComment(tom, one)
    await aComment(tom, two)
    const ids = (await listOf(mei)).map(({ id }) => id)
    await tom.call(contract.markNotifications, { notificationIds: ids })
    expect((await tom.tryCall(contract.deleteNotification, { notificationId: ids[0] ?? '' })).status).toBe(404)
    expect(await unread(mei)).toBe(2)
    const { readAt } = await mei.call(contract.markAllNotifications, {})
    expect(await unread(mei)).toBe(0)
    await aComment(bo, one)
    await mei.call(contract.unmarkNotifications, { readAt })
    expect(await unread(mei)).toBe(2)
    await mei.call(contract.deleteNotification, { notificationId: ids[0] ?? '' })
    expect((await mei.tryCall(contract.deleteNotification, { notificationId: ids[0] ?? '' })).status).toBe(404)
    expect([await unread(mei), (await listOf(mei)).length]).toEqual([1, 2])
    await aComment(bo, two)
    expect(await unread(mei)).toBe(2)
  })

  test('of a muted kind is not written, and another kind of the same post is', async () => {
    await mei.call(contract.changeNotificationSetting, { kind: 'mentioned', forum: false })
    const settings = (await mei.call(contract.notificationSettings, {})).kinds
    expect(settings.filter(({ forum }) => forum === false)).toEqual([{ kind: 'mentioned', forum: false, email: false, push: false }])
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId, { body: naming(mei) })
    await tom.call(publishTopic, { tagId, title: 'For her', body: naming(mei) })
    expect(await notificationsOf(mei)).toEqual(['commented 1'])
    await mei.call(contract.changeNotificationSetting, { kind: 'mentioned', forum: true })
    await aComment(tom, topicId, { body: naming(mei) })
    expect(await notificationsOf(mei)).toEqual(['mentioned 1', 'commented 1'])
  })

  test('of a kind that this version does not declare is left out', async () => {
    await aComment(tom, await aTopic(mei, tagId))
    await forum.database.app.updateTable('notification').set({ kind: 'voted' }).where('member_id', '=', mei.id).execute()
    await tom.call(addFollow, { of: 'member', id: mei.id })
    expect(await notificationsOf(mei)).toEqual(['followed 1'])
  })

  test('comes in pages of twenty, and counts no further than a hundred', async () => {
    const notifyOfEvent = (from: number, to: number) =>
      transact(forum.database, (tx) =>
        notifyOfEvents(
          tx,
          sql`
            select ${mei.id}::bigint as member_id, 'followed' as kind, 'number ' || n as group_key, 'followed' as cause, null::bigint as topic_id,
              ${tom.id}::bigint as actor_id, 'topic'::post_kind as post_kind, n as post_id, now() as at, 0 as rank
            from generate_series(${from}::bigint, ${to}::bigint) as n`,
        ),
      )
    await notifyOfEvent(1, 21)
    const last = await mei.call(contract.notificationList, { page: 2 })
    expect([last.notifications.length, last.total, last.pages, last.unread]).toEqual([1, 21, 2, 21])
    expect((await mei.tryCall(contract.notificationList, { page: 3 })).status).toBe(404)
    await notifyOfEvent(22, 101)
    expect(await unread(mei)).toBe(100)
  })

  test('is nothing for a visitor', async () => {
    const visitor = forum.visitor()
    const { notificationList, markAllNotifications, notificationSettings } = contract
    for (const call of [notificationList, markAllNotifications, notificationSettings])
      expect((await visitor.tryCall(call, {})).status).toBe(401)
    expect((await visitor.tryCall(contract.markNotifications, { notificationIds: ['1'] })).status).toBe(401)
    expect((await visitor.tryCall(contract.unmarkNotifications, { readAt: new Date().toISOString() })).status).toBe(401)
    expect((await visitor.tryCall(contract.deleteNotification, { notificationId: '1' })).status).toBe(401)
    expect((await visitor.tryCall(contract.changeNotificationSetting, { kind: 'liked', forum: false })).status).toBe(401)
  })
})

test('a new member gets the welcome topic of the forum, once and for good', async () => {
  const topicId = await aTopic(tom, tagId)
  const { app } = forum.database
  await sql`insert into welcome (topic_id) values (${topicId})`.execute(app)
  const ann = await forum.member()
  await sql`delete from welcome`.execute(app)
  expect(await listOf(ann)).toMatchObject([{ kind: 'welcome', people: 0, post: { id: topicId } }])
  expect([await notificationsOf(mei), await unread(ann)]).toEqual([[], 1])
})

test('of merged accounts belongs to the remaining one, without those about themselves', async () => {
  const [old, into] = [await forum.member(), await forum.member()]
  const topicId = await aTopic(mei, tagId)
  const of = { kind: 'topic', id: topicId } as const
  for (const who of [old, into]) await who.call(addLike, of)
  const theirs = await aTopic(old, tagId)
  await into.call(addLike, { kind: 'topic', id: theirs })
  await aComment(tom, theirs)
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason: 'one and the same' })
  await resume(forum.database)
  expect(await notificationsOf(mei)).toEqual(['liked 1'])
  expect(await notificationsOf(into)).toEqual(['commented 1'])
})

test('after any posts, likes, removals and restores, each notification equals a recount', async () => {
  const people = [mei, tom, bo]
  const topicId = await aTopic(mei, tagId)
  const commentId = await aComment(tom, topicId)
  const at = (who: number) => people[who] ?? mei
  const action = fc.record({
    who: fc.nat(2),
    whom: fc.nat(2),
    does: fc.constantFrom('comment', 'reply', 'like', 'unlike', 'remove', 'read'),
  })
  const of = { kind: 'comment' as Kind, id: commentId }
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 10 }), async (actions) => {
      const written: [Person, string][] = []
      await Promise.all(
        actions.map(async ({ who, whom, does }) => {
          if (does === 'comment') written.push([at(who), await aComment(at(who), topicId, { body: naming(at(whom)) })])
          if (does === 'reply') await aReply(at(who), commentId, { body: naming(at(whom)) })
          if (does === 'like') await at(who).tryCall(addLike, of)
          if (does === 'unlike') await at(who).tryCall(removeLike, of)
          if (does === 'read') await at(who).call(contract.markAllNotifications, {})
        }),
      )
      if (actions.some(({ does }) => does === 'remove'))
        for (const [who, id] of written) await who.call(removeRemark, { kind: 'comment', id })
      const { rows } = await sql`select id from notification where count <> (
        select count(*) from notification_event as action where notification_id = notification.id and not is_gone)`.execute(
        forum.database.app,
      )
      expect(rows).toEqual([])
    }),
    { numRuns: runs(10) },
  )
})

test.each(['watched', 'mentioned'] as const)(
  'of two kinds at the same moment is written and counted once: watched, and %s',
  async (kind) => {
    const topicId = await aTopic(tom, tagId)
    const note = (tx: Db, says: 'watched' | 'mentioned') =>
      notifyOfEvents(
        tx,
        sql`
        select ${mei.id}::bigint as member_id, ${says}::text as kind, ${says}::text as group_key, 'wrote' as cause, ${topicId}::bigint as topic_id,
          ${tom.id}::bigint as actor_id, 'topic'::post_kind as post_kind, ${topicId}::bigint as post_id, now() as at, 0 as rank`,
      )
    const second = await transact(forum.database, async (tx) => {
      await note(tx, 'watched')
      await sql`select`.execute(tx)
      const its = transact(forum.database, (other) => note(other, kind))
      await expect.poll(() => hasLockWait(forum.database)).toBe(true)
      return { its }
    })
    await second.its
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([[`${kind} 1`], 1])
    await tom.call(removeTopic, { topicId })
    expect([await notificationsOf(mei), await unread(mei)]).toEqual([[], 0])
  },
)

describe('an undo reaches an inbox with its commit', () => {
  const actions = {
    'a like': [(id: string) => tom.call(addLike, { kind: 'comment', id }), (id: string) => tom.call(removeLike, { kind: 'comment', id })],
    'a follow': [() => tom.call(addFollow, { of: 'member', id: mei.id }), () => tom.call(removeFollow, { of: 'member', id: mei.id })],
    'an accepted answer': [
      (id: string, questionId: string) => tom.call(adoptAnswer, { questionId, commentId: id }, newIdempotencyKey()),
      (_: string, questionId: string) => tom.call(adoptAnswer, { questionId }, newIdempotencyKey()),
    ],
  } as const

  test.each(Object.entries(actions))('of %s', async (_, [does, takesBack]) => {
    const questionId = await aQuestion(tom, tagId)
    const id = await anAnswer(mei, questionId)
    const invalidatedTags: string[] = []
    forum.database.invalidations.on((tags) => invalidatedTags.push(...tags))
    for (const act of [does, takesBack]) {
      invalidatedTags.length = 0
      await act(id, questionId)
      expect(invalidatedTags).toContain(`inbox:${mei.id}`)
    }
    expect((await notificationsOf(mei)).filter((one) => !one.startsWith('commented'))).toEqual([])
  })
})
