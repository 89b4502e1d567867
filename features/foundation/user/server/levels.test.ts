import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { markRead } from '#comment/reading-contract.ts'
import { myThread, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { moveTopic } from '#content/contract.ts'
import { addFollow, block, followList, followMine, gatherNews, levels, removeFollow, setLevel, type Level } from '#follow/contract.ts'
import { addLike } from '#like/contract.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import { changeNotificationSetting, deleteNotification, notificationList } from '#notification/notification-contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, mention, paragraph } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  tagId = await aTag(forum.database)
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

const notificationsOf = async (who: Person) =>
  (await who.call(notificationList, {})).notifications.map(({ kind, people, post }) => `${kind} ${people} ${post?.kind}`)
const levelOf = async (who: Person, topicId: string) => (await who.call(myThread, { topicId })).follows.level
const say = (who: Person, id: string, level: Level, of: 'tag' | 'topic' = 'topic') => who.call(setLevel, { of, id, level })
const newFor = async (who: Person) => (await who.call(followedThreads, {})).threads.map(({ topic }) => topic.id)
const naming = (person: Person) => documentWith(paragraph(mention(person.id)))

async function arrives(who: Person): Promise<string[]> {
  await who.call(gatherNews, {})
  return notificationsOf(who)
}

describe('the level of a thread', () => {
  test('is watching for followers, tracking for commenters, and after that the one they choose', async () => {
    const topicId = await aTopic(mei, tagId)
    expect([await levelOf(mei, topicId), await levelOf(tom, topicId)]).toEqual(['tracking', 'normal'])
    await aComment(tom, topicId)
    expect(await levelOf(tom, topicId)).toBe('tracking')
    await tom.call(addFollow, { of: 'topic', id: topicId })
    expect(await levelOf(tom, topicId)).toBe('watching')
    await tom.call(removeFollow, { of: 'topic', id: topicId })
    await aComment(tom, topicId)
    expect(await levelOf(tom, topicId)).toBe('normal')
    for (const level of levels) {
      await say(tom, topicId, level)
      expect(await levelOf(tom, topicId)).toBe(level)
    }
  })

  test('a reply tracks its thread, too, and new posts there are in the feed', async () => {
    const topicId = await aTopic(mei, tagId)
    const commentId = await aComment(bo, topicId)
    await aReply(tom, commentId)
    expect([await levelOf(tom, topicId), await newFor(tom)]).toEqual(['tracking', [topicId]])
    await say(tom, topicId, 'muted')
    expect(await newFor(tom)).toEqual([])
  })

  test('muted sends no notification of others’ posts there, even with a mention, and normal sends them again', async () => {
    const topicId = await aTopic(mei, tagId)
    await say(tom, topicId, 'muted')
    await say(mei, topicId, 'muted')
    const commentId = await aComment(bo, topicId, { body: naming(tom) })
    await bo.call(addLike, { kind: 'topic', id: topicId })
    expect([await notificationsOf(tom), await notificationsOf(mei)]).toEqual([[], []])
    await say(tom, topicId, 'normal')
    await aReply(bo, commentId, { body: naming(tom) })
    expect(await notificationsOf(tom)).toEqual(['mentioned 1 reply'])
  })

  test('of a muted tag overrides it, for the tag and all below it', async () => {
    const below = await aTag(forum.database, { under: tagId })
    await say(tom, tagId, 'muted', 'tag')
    const [quiet, chosen] = [await aTopic(mei, below), await aTopic(mei, below)]
    await say(tom, chosen, 'tracking')
    for (const topicId of [quiet, chosen]) await aComment(mei, topicId, { body: naming(tom) })
    expect((await tom.call(notificationList, {})).notifications.map(({ post }) => post?.topicId)).toEqual([chosen])
    await say(tom, below, 'tracking', 'tag')
    await aComment(mei, quiet, { body: naming(tom) })
    expect(await notificationsOf(tom)).toHaveLength(2)
    await say(tom, below, 'normal', 'tag')
    await aComment(mei, quiet, { body: naming(tom) })
    expect(await notificationsOf(tom)).toHaveLength(2)
  })

  test('is not for visitors, nor for a thread without access, and can be removed from a missing one', async () => {
    const { tagId: closed } = await aClosedTag(forum.database)
    const topicId = await aTopic(mei, tagId)
    await say(tom, topicId, 'muted')
    expect((await forum.visitor().tryCall(setLevel, { of: 'topic', id: topicId, level: 'muted' })).status).toBe(401)
    expect((await forum.visitor().tryCall(gatherNews, {})).status).toBe(401)
    expect((await tom.tryCall(setLevel, { of: 'tag', id: closed, level: 'watching' })).status).toBe(404)
    await mei.call(removeTopic, { topicId })
    expect((await bo.tryCall(setLevel, { of: 'topic', id: topicId, level: 'watching' })).status).toBe(404)
    expect((await tom.call(followList, { of: 'topic' })).followed).toMatchObject([{ id: topicId, level: 'muted', thread: null }])
    await say(tom, topicId, 'normal')
    expect((await tom.call(followList, { of: 'topic' })).followed).toEqual([])
  })

  test('is private: others see only the chosen follows', async () => {
    const [watched, tracked, muted] = [await aTopic(mei, tagId), await aTopic(mei, tagId), await aTopic(mei, tagId)]
    await say(tom, watched, 'watching')
    await aComment(tom, tracked)
    await say(tom, muted, 'muted')
    await say(tom, tagId, 'muted', 'tag')
    const mine = (await tom.call(followList, { of: 'topic' })).followed
    expect(mine.map(({ id, level, isFollowed }) => [id, level, isFollowed])).toEqual([
      [muted, 'muted', false],
      [tracked, 'tracking', true],
      [watched, 'watching', true],
    ])
    const theirs = async (of: 'tag' | 'topic') => (await bo.call(followList, { userId: tom.id, of })).followed
    expect(await theirs('topic')).toMatchObject([{ id: watched, level: null }])
    expect(await theirs('tag')).toEqual([])
    expect(await tom.call(followMine, {})).toEqual({ tags: [{ id: tagId, level: 'muted' }], mutedThreadIds: [muted], muted: [] })
  })
})

describe('on arriving', () => {
  test('a watched thread notifies of each comment since, in one line until it is read, and a tracked one does not', async () => {
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId)
    await say(bo, topicId, 'watching')
    await aComment(mei, topicId)
    const commentId = await aComment(tom, topicId)
    expect(await notificationsOf(bo)).toEqual([])
    expect(await arrives(bo)).toEqual(['watched 2 comment'])
    expect(await arrives(bo)).toEqual(['watched 2 comment'])
    expect((await bo.call(unreadMessageCount, {})).remindCount).toBe(1)
    expect((await arrives(tom)).filter((one) => one.startsWith('watched'))).toEqual([])
    await tom.call(removeRemark, { kind: 'comment', id: commentId })
    expect(await notificationsOf(bo)).toEqual(['watched 1 comment'])
    const [one] = (await bo.call(notificationList, {})).notifications
    await bo.call(deleteNotification, { notificationId: one?.id ?? '' })
    expect(await arrives(bo)).toEqual([])
  })

  test('a member is not notified of posts they wrote, read meanwhile, or heard of for another reason', async () => {
    const topicId = await aTopic(mei, tagId)
    for (const who of [mei, tom, bo]) await say(who, topicId, 'watching')
    await aComment(tom, topicId, { body: naming(bo) })
    await aComment(bo, topicId)
    await tom.call(markRead, { topicId, floor: 2 })
    expect([await arrives(mei), await arrives(tom), await arrives(bo)]).toEqual([['commented 2 comment'], [], ['mentioned 1 comment']])
  })

  test('a watched tag notifies of each thread in it and below it, further tags of questions too', async () => {
    const group = await aTag(forum.database)
    const below = await aTag(forum.database, { under: group })
    for (const id of [tagId, group]) await say(tom, id, 'watching', 'tag')
    const [topicId, deep] = [await aTopic(mei, tagId), await aTopic(mei, below)]
    const further = await aQuestion(mei, await aTag(forum.database), { tagIds: [tagId] })
    await aComment(bo, topicId)
    await arrives(tom)
    const posts = (await tom.call(notificationList, {})).notifications.map(({ kind, post }) => [kind, post?.kind, post?.topicId])
    expect(posts).toEqual([further, deep, topicId].map((id) => ['watched', 'topic', id]))
  })

  test('a followed member’s posts notify their follower, where they have access, unless they chose not to', async () => {
    const { tagId: closed } = await aClosedTag(forum.database)
    const hidden = await aTopic(bo, tagId)
    await sql`update topic set tag_id = ${closed} where id = ${hidden}`.execute(forum.database.app)
    const topicId = await aTopic(bo, tagId)
    await tom.call(addFollow, { of: 'member', id: mei.id })
    const commentId = await aComment(mei, topicId)
    await aReply(mei, commentId)
    await aTopic(mei, tagId)
    await sql`insert into comment (topic_id, author_id, body, segments, text, floor) values (${hidden}, ${mei.id}, '{}', '[]', '', 1)`.execute(
      forum.database.app,
    )
    expect(await arrives(tom)).toEqual(['followedWrote 1 topic', 'followedWrote 1 reply'])
    await tom.call(changeNotificationSetting, { kind: 'followedWrote', forum: false })
    await aComment(mei, topicId)
    expect(await arrives(tom)).toHaveLength(2)
  })

  test('posts before the follow, by a blocked member, or in a muted place notify no one', async () => {
    const [topicId, quiet] = [await aTopic(mei, tagId), await aTopic(bo, tagId)]
    await aComment(bo, topicId)
    await say(tom, topicId, 'watching')
    await tom.call(addFollow, { of: 'member', id: mei.id })
    expect(await arrives(tom)).toEqual([])
    await say(tom, quiet, 'muted')
    await aComment(mei, quiet)
    await tom.call(block, { userId: bo.id, way: 'muted' })
    await aComment(bo, topicId)
    expect(await arrives(tom)).toEqual([])
  })

  test('a post that became inaccessible is not notified', async () => {
    const topicId = await aTopic(mei, tagId)
    const { tagId: closed } = await aClosedTag(forum.database)
    await say(tom, topicId, 'watching')
    await aComment(bo, topicId)
    await chief.call(moveTopic, { topicId, tagId: closed })
    expect(await arrives(tom)).toEqual([])
  })
})

test('a muted tag is left out of the feed of followed members', async () => {
  await tom.call(addFollow, { of: 'member', id: mei.id })
  const topicId = await aTopic(mei, tagId)
  expect(await newFor(tom)).toEqual([topicId])
  await say(tom, tagId, 'muted', 'tag')
  expect(await newFor(tom)).toEqual([])
})
