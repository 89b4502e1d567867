import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contract from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { aClosedTag, aRole, aTag, giveRole } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
})

type PostIds = { topicId: string; commentId: string; replyId: string }
type Try = (who: Visitor) => Promise<number>

async function aThread(author: Person, tag: string): Promise<PostIds> {
  const topicId = await aTopic(author, tag)
  const commentId = await aComment(author, topicId, { body: says('A remark of mine') })
  return { topicId, commentId, replyId: await aReply(author, commentId, { body: says('A reply of mine') }) }
}

function reads({ topicId, commentId, replyId }: PostIds): Try[] {
  return [
    tries(contract.listComments, { topicId }),
    tries(contract.listComments, { topicId, commentId }),
    tries(contract.listComments, { topicId, replyId }),
    tries(contract.listReplies, { topicId, commentId }),
    tries(contract.remarkHistory, { topicId, kind: 'comment', id: commentId }),
    tries(contract.remarkHistory, { topicId, kind: 'reply', id: replyId }),
  ]
}

function posts({ topicId, commentId, replyId }: PostIds): Try[] {
  const body = says('words')
  return [
    tries(contract.addComment, { topicId, body }),
    tries(contract.addComment, { topicId, body, quotes: commentId }),
    tries(contract.addReply, { commentId, body }),
    tries(contract.addReply, { commentId, answers: replyId, body }),
  ]
}

function changes({ commentId, replyId }: PostIds): Try[] {
  const [body, reason] = [says('changed'), 'Order']
  return [
    tries(contract.remarkSource, { kind: 'comment', id: commentId }),
    tries(contract.remarkSource, { kind: 'reply', id: replyId }),
    tries(contract.editRemark, { kind: 'comment', id: commentId, body, reason }),
    tries(contract.editRemark, { kind: 'reply', id: replyId, body, reason }),
    tries(contract.removeRemark, { kind: 'reply', id: replyId, reason }),
    tries(contract.removeRemark, { kind: 'comment', id: commentId, reason }),
  ]
}

function tries<E extends Endpoint>(endpoint: E, input: RawInput<E>): Try {
  return async (who) => (await who.tryCall(endpoint, input)).status
}

async function statuses(who: Visitor, all: readonly Try[]): Promise<number[]> {
  const found: number[] = []
  for (const one of all) found.push(await one(who))
  return [...new Set(found)]
}

test('a visitor reads everything and writes nothing', async () => {
  const place = await aThread(mei, tagId)
  expect(await statuses(forum.visitor(), reads(place))).toEqual([200])
  expect(
    await statuses(forum.visitor(), [...posts(place), ...changes(place), tries(contract.myThread, { topicId: place.topicId })]),
  ).toEqual([401])
})

test('a member can comment, and cannot change the posts of others', async () => {
  const place = await aThread(mei, tagId)
  expect(await statuses(tom, posts(place))).toEqual([200])
  expect(await statuses(tom, changes(place))).toEqual([403])
  expect(await statuses(mei, changes(place))).toEqual([200])
})

test('a deactivated member is logged out', async () => {
  const place = await aThread(mei, tagId)
  await forum.database.app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', mei.id)
    .execute()
  expect(await statuses(mei, [...posts(place), ...changes(place)])).toEqual([401])
  const { comments } = await tom.call(contract.listComments, { topicId: place.topicId })
  expect(comments[0]?.author).toMatchObject({ isDeactivated: true })
})

test('comments of a topic in a closed tag are missing for members without access', async () => {
  const closed = await aClosedTag(forum.database)
  await closed.admit(mei.id)
  const place = await aThread(mei, closed.tagId)
  expect(await statuses(mei, reads(place))).toEqual([200])
  expect(await statuses(forum.visitor(), reads(place))).toEqual([404])
  expect(
    await statuses(tom, [...reads(place), ...posts(place), ...changes(place), tries(contract.myThread, { topicId: place.topicId })]),
  ).toEqual([404])
  expect((await tom.call(contract.memberRemarks, { kind: 'comment', userId: mei.id })).total).toBe(0)
  expect((await tom.call(contract.memberRemarks, { kind: 'reply', userId: mei.id })).total).toBe(0)
  expect((await mei.call(contract.memberRemarks, { kind: 'comment' })).total).toBe(1)
})

test('comments of a removed topic are missing for everyone', async () => {
  const place = await aThread(mei, tagId)
  await mei.call(removeTopic, { topicId: place.topicId })
  expect(await statuses(forum.visitor(), reads(place))).toEqual([404])
  expect(await statuses(mei, [...reads(place), ...posts(place), ...changes(place)])).toEqual([404])
  expect((await mei.call(contract.memberRemarks, { kind: 'comment' })).total).toBe(0)
})

test('a comment is not reached through another topic', async () => {
  const place = await aThread(mei, tagId)
  const topicId = await aTopic(mei, tagId)
  const [, ...others] = reads({ ...place, topicId })
  expect(await statuses(mei, others)).toEqual([404])
})

test('a moderator may change and remove the posts of others', async () => {
  await giveRole(forum.database, tom.id, await aRole(forum.database, ['content.edit.any', 'content.remove.any'], undefined))
  const place = await aThread(mei, tagId)
  expect(await statuses(tom, changes(place))).toEqual([200])
  const removed = await forum.database.app.selectFrom('comment').select('deleted_by').where('id', '=', place.commentId).executeTakeFirst()
  expect(removed?.deleted_by).toBe('staff')
})

test('closed functions are closed to adding and to editing', async () => {
  const place = await aThread(mei, tagId)
  await change('allowComments', false)
  await change('allowReplies', false)
  const { commentId, replyId } = place
  const edits = [
    tries(contract.editRemark, { kind: 'comment', id: commentId, body: says('x') }),
    tries(contract.editRemark, { kind: 'reply', id: replyId, body: says('x') }),
  ]
  expect(await statuses(mei, [...posts(place), ...edits])).toEqual([422])
  await change('allowComments', true)
  await change('allowReplies', true)
})

test('a topic that takes no comments takes no replies either', async () => {
  const place = await aThread(mei, tagId)
  await forum.database.app.updateTable('topic').set({ takes_comments: false }).where('id', '=', place.topicId).execute()
  expect(await statuses(tom, posts(place))).toEqual([422])
  expect((await tom.call(contract.myThread, { topicId: place.topicId })).can).toMatchObject({ comment: false, reply: false })
})

test('a member is told their own permissions on the page', async () => {
  const { topicId, commentId, replyId } = await aThread(mei, tagId)
  const other = await aComment(tom, topicId)
  const input = { topicId, commentIds: [commentId, other] }
  expect(await mei.call(contract.myThread, input)).toEqual({
    can: { edit: true, remove: true, comment: true, reply: true },
    comments: { edit: [commentId], remove: [commentId] },
    replies: { edit: [replyId], remove: [replyId] },
    readTo: 1,
    newcomer: null,
    hasWaiting: false,
    isFavourite: false,
    follows: { level: 'tracking', author: false },
    liked: { topic: [], comment: [], reply: [] },
  })
  expect(await tom.call(contract.myThread, input)).toEqual({
    can: { edit: false, remove: false, comment: true, reply: true },
    comments: { edit: [other], remove: [other] },
    replies: { edit: [], remove: [] },
    readTo: 2,
    newcomer: null,
    hasWaiting: false,
    isFavourite: false,
    follows: { level: 'tracking', author: false },
    liked: { topic: [], comment: [], reply: [] },
  })
})

test('a moderator of one tag may edit the posts there, and none elsewhere', async () => {
  const keeper = await forum.member()
  await giveRole(forum.database, keeper.id, await aRole(forum.database, ['content.edit.any'], tagId))
  const [here, elsewhere] = [await aThread(mei, tagId), await aThread(mei, await aTag(forum.database))]
  const commentIds = [here.commentId, here.commentId, elsewhere.commentId]
  const onPage = async ({ topicId }: PostIds) => {
    const { comments, replies } = await keeper.call(contract.myThread, { topicId, commentIds })
    return { comments, replies }
  }
  const none = { edit: [], remove: [] }
  expect(await onPage(here)).toEqual({ comments: { ...none, edit: [here.commentId] }, replies: { ...none, edit: [here.replyId] } })
  expect(await onPage(elsewhere)).toEqual({ comments: none, replies: none })
})

test('ids of no known form are refused before anything is looked up', async () => {
  for (const topicId of ['0', '-1', '1e3', '0x1', '1 or 1', '9'.repeat(19), '']) {
    expect((await mei.tryCall(contract.listComments, { topicId })).status).toBe(400)
    expect((await mei.tryCall(contract.addComment, { topicId, body: says('x') })).status).toBe(422)
  }
})

async function change(name: 'allowComments' | 'allowReplies', value: boolean): Promise<void> {
  await transact(forum.database, (tx) => setting.change(tx, name, value, 'test'))
}
