import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runs } from '#base/testing/extent.ts'
import { undoBatch } from '#batch/contract.ts'
import { listComments, listReplies, myThread, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { kinds, type Kind } from '#kind/contract.ts'
import * as contract from '#like/contract.ts'
import { tallies } from '#post/server/tally.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

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

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** One post of each kind, all by one member, in one thread. */
async function posts(author: Person): Promise<{ topicId: string; of: Record<Kind, { kind: Kind; id: string }> }> {
  const topicId = await aTopic(author, tagId)
  const commentId = await aComment(author, topicId)
  const replyId = await aReply(author, commentId)
  return {
    topicId,
    of: { topic: { kind: 'topic', id: topicId }, comment: { kind: 'comment', id: commentId }, reply: { kind: 'reply', id: replyId } },
  }
}

async function countsIn(topicId: string): Promise<Record<Kind, number>> {
  await tallies.write(forum.database)
  const visitor = forum.visitor()
  const [topic, { comments }] = [await visitor.call(thread, { topicId }), await visitor.call(listComments, { topicId })]
  const replies = await visitor.call(listReplies, { topicId, commentId: comments[0]?.id ?? '' })
  return { topic: topic.likeCount, comment: comments[0]?.likeCount ?? 0, reply: replies.replies[0]?.likeCount ?? 0 }
}

const likersOf = async (post: { kind: Kind; id: string }) =>
  (await forum.visitor().call(contract.likers, post)).members.map(({ member }) => member.id)

describe('a like', () => {
  test.each(kinds)('of a %s counts once, however often it is given, and is gone with the unlike', async (kind) => {
    const { topicId, of } = await posts(mei)
    for (let time = 0; time < 3; time++) await tom.call(contract.addLike, of[kind])
    await bo.call(contract.addLike, of[kind])
    expect(await countsIn(topicId)).toEqual({ topic: 0, comment: 0, reply: 0, [kind]: 2 })
    expect(await likersOf(of[kind])).toEqual([bo.id, tom.id])
    for (let time = 0; time < 2; time++) await tom.call(contract.removeLike, of[kind])
    expect(await countsIn(topicId)).toEqual({ topic: 0, comment: 0, reply: 0, [kind]: 1 })
    expect(await likersOf(of[kind])).toEqual([bo.id])
  })

  test('is known to its member in the one call for their own data, and to no one else there', async () => {
    const { topicId, of } = await posts(mei)
    for (const kind of kinds) await tom.call(contract.addLike, of[kind])
    const input = { topicId, commentIds: [of.comment.id] }
    expect((await tom.call(myThread, input)).liked).toEqual({ topic: [topicId], comment: [of.comment.id], reply: [of.reply.id] })
    expect((await bo.call(myThread, input)).liked).toEqual({ topic: [], comment: [], reply: [] })
  })

  test('takes a logged-in member with the right who is not the author, and a post they have access to', async () => {
    const { of } = await posts(mei)
    expect((await forum.visitor().tryCall(contract.addLike, of.topic)).status).toBe(401)
    expect(await mei.isRefused(contract.addLike, of.topic, contract.OwnPost)).toBe(true)
    const { tagId: closed } = await aClosedTag(forum.database)
    const { app } = forum.database
    const hidden = await aTopic(mei, tagId)
    await sql`update topic set tag_id = ${closed} where id = ${hidden}`.execute(app)
    for (const id of [hidden, '999999']) expect((await tom.tryCall(contract.addLike, { kind: 'topic', id })).status).toBe(404)
    expect((await tom.tryCall(contract.likers, { kind: 'topic', id: hidden })).status).toBe(404)
    await mei.call(removeRemark, { kind: 'comment', id: of.comment.id })
    expect((await tom.tryCall(contract.addLike, of.comment)).status).toBe(404)
    await mei.call(removeTopic, { topicId: of.topic.id })
    for (const kind of kinds) expect((await tom.tryCall(contract.addLike, of[kind])).status).toBe(404)
    for (const id of ['0', '-1', 'x', '1e3', '99999999999999999999'])
      expect((await tom.tryCall(contract.addLike, { kind: 'topic', id })).status).toBeGreaterThanOrEqual(400)
    expect(await sql`select from post_like where member_id = ${tom.id}`.execute(app)).toMatchObject({ rows: [] })
  })

  test('is refused while likes are closed, and can still be removed', async () => {
    const { of } = await posts(mei)
    await tom.call(contract.addLike, of.topic)
    await change({ allowLikes: false })
    expect(await bo.isRefused(contract.addLike, of.topic, FunctionClosed)).toBe(true)
    await tom.call(contract.removeLike, of.topic)
    await change({ allowLikes: true })
    expect(await likersOf(of.topic)).toEqual([])
  })

  test('warms a topic', async () => {
    const { topicId, of } = await posts(mei)
    const heat = async () =>
      (await forum.database.app.selectFrom('topic').select('heat').where('id', '=', topicId).executeTakeFirstOrThrow()).heat
    const before = await heat()
    await tom.call(contract.addLike, of.topic)
    await tallies.write(forum.database)
    expect(await heat()).toBeGreaterThan(before)
  })

  test('of a topic that becomes a comment goes with it, and comes back', async () => {
    const { topicId, of } = await posts(mei)
    const to = await aTopic(bo, tagId)
    await tom.call(contract.addLike, of.topic)
    await chief.call(mergeTopics, { topicIds: [topicId], to, reason: 'The same' })
    await tallies.write(forum.database)
    const { comments } = await forum.visitor().call(listComments, { topicId: to })
    expect(comments.map(({ likeCount }) => likeCount)).toContain(1)
    const { rows } = await sql<{ id: string }>`select max(id) as id from staff_batch`.execute(forum.database.app)
    await chief.call(undoBatch, { batchId: rows[0]?.id ?? '' })
    expect((await countsIn(topicId)).topic).toBe(1)
  })

  test('of two merged accounts counts once, and on their own posts not at all', async () => {
    const [old, into] = [await forum.member(), await forum.member()]
    const { topicId, of } = await posts(mei)
    const { topicId: own, of: ownPosts } = await posts(into)
    for (const who of [old, into]) await who.call(contract.addLike, of.topic)
    await old.call(contract.addLike, of.reply)
    await old.call(contract.addLike, ownPosts.topic)
    await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason: 'one and the same' })
    await resume(forum.database)
    expect(await countsIn(topicId)).toEqual({ topic: 1, comment: 0, reply: 1 })
    expect((await countsIn(own)).topic).toBe(0)
    expect(await likersOf(of.reply)).toEqual([into.id])
  })
})

describe('my likes', () => {
  test('are a list, newest first, with a link to each; a post without access is not named', async () => {
    const { of } = await posts(mei)
    for (const kind of kinds) await tom.call(contract.addLike, of[kind])
    const questionId = await aQuestion(mei, tagId)
    const commentId = await anAnswer(mei, questionId, 'Warm the pot.')
    await tom.call(contract.addLike, { kind: 'comment', id: commentId })
    await mei.call(removeRemark, { kind: 'comment', id: of.comment.id })
    const { likes, total } = await tom.call(contract.myLikes, {})
    expect(total).toBe(4)
    expect(likes.map(({ kind, post }) => [kind, post?.thread ?? null])).toEqual([
      ['comment', 'question'],
      ['reply', 'topic'],
      ['comment', null],
      ['topic', 'topic'],
    ])
    expect(likes[0]?.post).toMatchObject({ topicId: questionId, commentId, excerpt: 'Warm the pot.', author: { id: mei.id } })
  })

  test('on my own thread are shown to me as its author, and to no one else', async () => {
    const { topicId, of } = await posts(mei)
    await tom.call(contract.addLike, of.topic)
    expect((await mei.call(contract.likesOfTopic, { topicId })).members.map(({ member }) => member.id)).toEqual([tom.id])
    expect((await bo.tryCall(contract.likesOfTopic, { topicId })).status).toBe(404)
    expect((await forum.visitor().tryCall(contract.likesOfTopic, { topicId })).status).toBe(401)
  })
})

const threads = {
  answers: { open: () => aQuestion(mei, tagId), add: anAnswer },
  comments: { open: () => aTopic(mei, tagId), add: aComment },
}

test.each(['answers', 'comments'] as const)(
  '%s are listed best liked first, removed ones last, and a link finds its page',
  async (kind) => {
    const { open, add } = threads[kind]
    await change({ commentsPerPage: 5 })
    const topicId = await open()
    const ids: string[] = []
    for (const who of [tom, bo, tom, bo, tom, bo, tom]) ids.push(await add(who, topicId))
    const like = async (floor: number, ...people: Person[]) => {
      for (const who of people) await who.call(contract.addLike, { kind: 'comment', id: ids[floor - 1] ?? '' })
    }
    await like(7, mei, bo)
    await like(5, mei, bo)
    await like(2, mei, tom)
    await like(3, mei)
    await bo.call(removeRemark, { kind: 'comment', id: ids[1] ?? '' })
    await tallies.write(forum.database)
    const floors = async (query: { page?: number; commentId?: string; onlyAuthor?: boolean }) =>
      (await forum.visitor().call(listComments, { topicId, order: 'likes', ...query })).comments.map(({ floor }) => floor)
    const [first, second] = [
      [5, 7, 3, 1, 4],
      [6, 2],
    ]
    expect([await floors({ page: 1 }), await floors({ page: 2 })]).toEqual([first, second])
    for (const [index, commentId] of ids.entries()) expect(await floors({ commentId })).toEqual(first.includes(index + 1) ? first : second)
    expect(await floors({ onlyAuthor: true })).toEqual([])
    await change({ commentsPerPage: 30 })
  },
)

test('after any likes and unlikes by several members at once, the counts equal a recount', async () => {
  const { topicId, of } = await posts(mei)
  const people = [tom, bo, await forum.member()]
  const action = fc.record({ who: fc.nat(2), kind: fc.constantFrom(...kinds), adds: fc.boolean(), counts: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 20 }), async (actions) => {
      await Promise.all(
        actions.map(async ({ who, kind, adds, counts }) => {
          await people[who]?.call(adds ? contract.addLike : contract.removeLike, of[kind])
          if (counts) await tallies.write(forum.database)
        }),
      )
      const { rows } = await sql<{ kind: Kind; count: number }>`
        select post_kind as kind, count(*)::int as count from post_like where (post_kind, post_id) in
          (values ('topic', ${of.topic.id}::bigint), ('comment', ${of.comment.id}::bigint), ('reply', ${of.reply.id}::bigint))
        group by post_kind`.execute(forum.database.app)
      const recount = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
      expect(await countsIn(topicId)).toEqual({ topic: 0, comment: 0, reply: 0, ...recount })
    }),
    { numRuns: runs(25) },
  )
})
