import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { transact } from '#base/server/database/database.ts'
import { counterMismatches, newestMismatches } from '#base/testing/counters.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as comments from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as contract from '#review/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { documentWith, paragraph, picture, says } from '#writing/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

let forum: Forum
let tagId: string
let chief: Staffer
let mei: Person
let tom: Person
let topicId: string

const reason = { reasonZh: '广告', reasonEn: 'It advertises.' }

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  chief = await aStaffer(forum)
  await aList(chief, 'review', 'perhaps')
})
beforeEach(async () => {
  await Promise.all([rule('reviewTopics', 'words'), rule('reviewComments', 'words'), rule('reviewReplies', 'words')])
  mei = await forum.member()
  tom = await forum.member()
  topicId = await aTopic(mei, tagId)
})

async function rule<Name extends SettingName>(name: Name, value: Settings[Name]): Promise<void> {
  await transact(forum.database, (tx) => setting.change(tx, name, value, 'test'))
}

const queue = (filters = {}) => chief.call(contract.reviewQueue, { size: 200, ...filters })
const own = (who: Person, of = {}) => who.call(contract.ownWaiting, of).then(({ posts }) => posts)
const listed = (who: Pick<Person, 'call'> = forum.visitor()) => who.call(comments.listComments, { topicId })

async function waitingOf(postId: string, kind = 'comment') {
  const found = (await queue()).rows.find((row) => row.postId === postId && row.kind === kind)
  if (!found) throw new Error(`${kind} ${postId} does not wait`)
  return found
}

async function decided(postId: string, kind = 'comment') {
  const { id, version } = await waitingOf(postId, kind)
  return { reviewId: id, version }
}

const countsAreRight = async () => {
  expect(await counterMismatches(forum.database.reader)).toEqual([])
  expect(await newestMismatches(forum.database.reader)).toEqual([])
}

async function waitingComment(who = tom, body: Doc = says('Perhaps this one')): Promise<string> {
  const { commentId, floor } = await who.call(comments.addComment, { topicId, body })
  expect(floor).toBeNull()
  return commentId
}

describe('a comment that waits', () => {
  test('is seen by its author, counts nowhere, and has no floor', async () => {
    const commentId = await waitingComment()
    expect(await own(tom, { topicId })).toMatchObject([
      { kind: 'comment', postId: commentId, isEdit: false, floor: null, rejected: null, segments: [{ html: '<p>Perhaps this one</p>' }] },
    ])
    expect(await own(mei)).toEqual([])
    for (const who of [forum.visitor(), tom, mei]) expect(await listed(who)).toMatchObject({ total: 0, comments: [] })
    expect(await forum.visitor().call(topics.thread, { topicId })).toMatchObject({ commentCount: 0, floors: 0 })
    expect((await tom.call(home, {})).counts?.comments).toBe(0)
    expect((await tom.call(comments.memberRemarks, { kind: 'comment' })).remarks).toEqual([])
    await countsAreRight()
  })

  test('cannot be quoted, replied to, linked to, copied or changed by others', async () => {
    const commentId = await waitingComment()
    const about = [
      mei.tryCall(comments.addComment, { topicId, body: says('Quoting'), quotes: commentId }),
      mei.tryCall(comments.addReply, { commentId, body: says('Replying') }),
      mei.tryCall(comments.listComments, { topicId, commentId }),
      mei.tryCall(comments.commentMarkdown, { topicId, commentId }),
      mei.tryCall(comments.remarkHistory, { topicId, kind: 'comment', id: commentId }),
      mei.tryCall(comments.remarkSource, { kind: 'comment', id: commentId }),
      mei.tryCall(comments.editRemark, { kind: 'comment', id: commentId, body: says('Mine now') }),
      mei.tryCall(comments.removeRemark, { kind: 'comment', id: commentId }),
    ]
    expect((await Promise.all(about)).map(({ status }) => status)).toEqual([422, 404, 404, 404, 404, 404, 404, 404])
  })

  test('gets the next floor when it is approved, and counts from then on', async () => {
    const commentId = await waitingComment()
    const later = await aComment(mei, topicId)
    await chief.call(contract.approveReview, await decided(commentId))
    expect((await listed()).comments.map(({ id, floor }) => [id, floor])).toEqual([
      [later, 1],
      [commentId, 2],
    ])
    expect(await own(tom)).toEqual([])
    expect((await tom.call(home, {})).counts?.comments).toBe(1)
    expect((await chief.call(auditLog, { about: `comment ${commentId}` })).rows).toMatchObject([{ action: 'review.approve' }])
    await countsAreRight()
  })

  test('that is rejected shows its author the reason, may be edited, and waits again', async () => {
    const commentId = await waitingComment()
    await chief.call(contract.rejectReview, { ...(await decided(commentId)), ...reason })
    expect(await own(tom)).toMatchObject([{ postId: commentId, rejected: { zh: '广告', en: 'It advertises.' } }])
    expect((await queue()).rows.map(({ postId }) => postId)).not.toContain(commentId)

    expect(await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Better words') })).toEqual({
      isPending: true,
    })
    expect(await own(tom)).toMatchObject([{ rejected: null, segments: [{ html: '<p>Better words</p>' }] }])
    const again = await decided(commentId)
    expect(await chief.call(contract.openReview, { reviewId: again.reviewId })).toMatchObject({
      segments: [{ html: '<p>Better words</p>' }],
      history: { rejected: 0, approved: 0, reasons: [{ en: 'It advertises.' }] },
    })
    await chief.call(contract.approveReview, again)
    expect((await listed()).comments).toMatchObject([{ id: commentId, floor: 1, editedAt: null }])
    expect((await forum.visitor().call(comments.remarkHistory, { topicId, kind: 'comment', id: commentId })).versions).toHaveLength(1)
  })

  test('is gone from the queue when its author deletes it, or its topic goes', async () => {
    const removedCommentId = await waitingComment()
    await tom.call(comments.removeRemark, { kind: 'comment', id: removedCommentId })
    const under = await waitingComment(mei, says('Perhaps another'))
    const { reviewId, version } = await decided(under)
    await mei.call(topics.removeTopic, { topicId })
    const rows = (await queue()).rows.map(({ postId }) => postId)
    expect(rows).not.toContain(removedCommentId)
    expect(rows).not.toContain(under)
    expect((await chief.tryCall(contract.approveReview, { reviewId, version })).status).toBe(404)
    await countsAreRight()
  })
})

describe('a topic that waits', () => {
  test('is its author’s alone until it is approved, and new from then on', async () => {
    await rule('reviewTopics', 'everybody')
    const draft = { tagId, title: 'Of the sleeping fern', body: says('It sleeps.') }
    const { topicId: waits, isPending } = await tom.call(topics.publishTopic, draft)
    expect(isPending).toBe(true)
    for (const who of [forum.visitor(), mei, tom]) {
      expect((await who.tryCall(topics.thread, { topicId: waits })).status).toBe(404)
      expect((await who.call(topics.listTopics, { tagId, sort: 'new' })).topics.map(({ id }) => id)).not.toContain(waits)
    }
    expect((await tom.call(topics.memberTopics, {})).topics).toMatchObject([{ id: waits, isPending: true }])
    expect((await mei.call(topics.memberTopics, { userId: tom.id })).topics).toEqual([])
    expect((await mei.tryCall(comments.addComment, { topicId: waits, body: says('First') })).status).toBe(404)
    expect((await tom.tryCall(comments.addComment, { topicId: waits, body: says('First') })).status).toBe(403)
    await countsAreRight()

    await chief.call(contract.approveReview, await decided(waits, 'topic'))
    expect(await mei.call(topics.thread, { topicId: waits })).toMatchObject({ title: draft.title, editedAt: null })
    expect((await mei.call(topics.listTopics, { tagId, sort: 'new' })).topics[0]?.id).toBe(waits)
    await countsAreRight()
  })

  test('may be removed by staff, who cannot remove a visible post from here', async () => {
    await rule('reviewTopics', 'everybody')
    const { topicId: waits } = await tom.call(topics.publishTopic, { tagId, title: 'An advert', body: says('Buy it') })
    const reviewer = await aStaffer(forum, ['content.review'])
    expect((await reviewer.tryCall(contract.removeReview, await decided(waits, 'topic'))).status).toBe(403)
    await chief.call(contract.removeReview, { ...(await decided(waits, 'topic')), reason: 'spam' })
    expect(await own(tom)).toEqual([])
    expect((await tom.call(topics.memberTopics, {})).topics).toEqual([])
    await mei.call(topics.editTopic, { topicId, title: 'A new title', body: says('Words') })
    expect(await chief.isRefused(contract.removeReview, await decided(topicId, 'topic'), contract.IsOnThePage)).toBe(true)
    await countsAreRight()
  })
})

describe('an edit that waits', () => {
  test('leaves the old version on the page until it is approved', async () => {
    const before = await forum.visitor().call(topics.thread, { topicId })
    const edit = { topicId, title: 'Perhaps a title', body: says('New words') }
    expect(await mei.call(topics.editTopic, edit)).toEqual({ topicId, isPending: true })
    expect(await forum.visitor().call(topics.thread, { topicId })).toEqual(before)
    expect(await mei.call(topics.editableTopic, { topicId })).toMatchObject({ title: 'Perhaps a title', body: edit.body })
    const waits = await decided(topicId, 'topic')
    expect(await chief.call(contract.openReview, { reviewId: waits.reviewId })).toMatchObject({
      isEdit: true,
      title: before.title,
      newTitle: 'Perhaps a title',
      words: ['perhaps'],
      present: { title: before.title, segments: before.segments },
    })
    await chief.call(contract.approveReview, waits)
    const after = await forum.visitor().call(topics.thread, { topicId })
    expect(after).toMatchObject({ title: 'Perhaps a title', segments: [{ html: '<p>New words</p>' }] })
    expect(after.editedAt).not.toBeNull()
    expect((await forum.visitor().call(topics.topicHistory, { topicId })).versions).toHaveLength(2)
  })

  test('survives an edit of the visible version by another', async () => {
    const keeper = await forum.member()
    const { role_id } = await forum.database.app
      .selectFrom('role_right')
      .select('role_id')
      .where('right_name', '=', 'content.edit.any')
      .executeTakeFirstOrThrow()
    await forum.database.app.insertInto('role_holding').values({ role_id, member_id: keeper.id, during: '[2020-01-01,infinity)' }).execute()
    const commentId = await aComment(tom, topicId, { body: says('Fine') })
    await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Perhaps fine') })
    expect(
      await keeper.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Fine indeed'), reason: 'Now it is' }),
    ).toEqual({
      isPending: false,
    })
    expect(await own(tom)).toMatchObject([{ postId: commentId, isEdit: true }])
  })

  test('may be withdrawn, or be overtaken by one without review', async () => {
    const commentId = await aComment(tom, topicId, { body: says('Fine') })
    await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Perhaps fine') })
    expect(await own(tom)).toMatchObject([{ postId: commentId, isEdit: true, floor: 1 }])
    await tom.call(contract.withdrawEdit, { kind: 'comment', postId: commentId })
    expect(await own(tom)).toEqual([])
    await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Perhaps fine') })
    expect(await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('Very fine') })).toEqual({
      isPending: false,
    })
    expect(await own(tom)).toEqual([])
    expect((await listed()).comments[0]?.segments).toEqual([{ html: '<p>Very fine</p>' }])
  })
})

test('a reply waits, is edited by staff, and is in its place', async () => {
  await rule('reviewReplies', 'members')
  const commentId = await aComment(mei, topicId)
  const { replyId, isPending } = await tom.call(comments.addReply, { commentId, body: says('Inded') })
  expect(isPending).toBe(true)
  expect((await listed()).comments[0]).toMatchObject({ replies: [], replyCount: 0 })
  const waits = await decided(replyId, 'reply')
  const { version } = await chief.call(contract.editReview, { ...waits, body: says('Indeed') })
  expect(await chief.isRefused(contract.approveReview, waits, contract.WrittenAnew)).toBe(true)
  await chief.call(contract.approveReview, { ...waits, version })
  expect((await listed()).comments[0]).toMatchObject({ replyCount: 1, replies: [{ id: replyId, segments: [{ html: '<p>Indeed</p>' }] }] })
  expect(await chief.isRefused(contract.rejectReview, { ...waits, ...reason }, contract.SettledAlready)).toBe(true)
  await countsAreRight()
})

describe('posts in review', () => {
  test.each([
    ['nobody', [false, false]],
    ['words', [false, true]],
    ['members', [true, true]],
    ['everybody', [true, true]],
  ] as const)('%s: without a sensitive word, and with one', async (who, waits) => {
    await rule('reviewComments', who)
    const plain = await tom.call(comments.addComment, { topicId, body: says('Surely') })
    const sensitive = await tom.call(comments.addComment, { topicId, body: says('Perhaps') })
    expect([plain.floor === null, sensitive.floor === null]).toEqual(waits)
  })

  test('are not those of members with the right to publish unreviewed, unless all posts are reviewed', async () => {
    const { id: role } = await forum.database.app
      .insertInto('role')
      .values({ name_zh: '老友', name_en: 'Old friend' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await forum.database.app.insertInto('role_right').values({ role_id: role, right_name: 'comment.unreviewed', tag_id: tagId }).execute()
    await forum.database.app
      .insertInto('role_holding')
      .values({ role_id: role, member_id: tom.id, during: '[2020-01-01,infinity)' })
      .execute()
    await transact(forum.database, async (tx) => setting.change(tx, 'reviewComments', 'members', 'test'))
    invalidateNow(forum.database, 'role')
    expect((await tom.call(comments.addComment, { topicId, body: says('Perhaps') })).floor).toBe(1)
    expect((await mei.call(comments.addComment, { topicId, body: says('Not me') })).floor).toBeNull()
    await rule('reviewComments', 'everybody')
    expect((await tom.call(comments.addComment, { topicId, body: says('Me too') })).floor).toBeNull()
  })
})

describe('the queue', () => {
  test('is oldest first, with filters by kind, tag and claim', async () => {
    const first = await waitingComment()
    const second = await waitingComment(mei, says('Perhaps later'))
    const elsewhere = await aTag(forum.database)
    const ids = async (filters = {}) =>
      (await queue({ tagId, ...filters })).rows.map(({ postId }) => postId).filter((id) => id === first || id === second)
    expect(await ids()).toEqual([first, second])
    expect(await ids({ kind: 'topic' })).toEqual([])
    expect(await ids({ tagId: elsewhere })).toEqual([])
    await chief.call(contract.claimReview, { reviewId: (await waitingOf(first)).id })
    expect([await ids({ claimed: 'me' }), await ids({ claimed: 'nobody' }), await ids({ claimed: 'others' })]).toEqual([
      [first],
      [second],
      [],
    ])
  })

  test('keeps a post for the first to claim it, until they release it', async () => {
    const helper = await aStaffer(forum, ['content.review'])
    const decision = await decided(await waitingComment())
    const claim = { reviewId: decision.reviewId }
    await helper.call(contract.claimReview, claim)
    const { status, body } = await chief.tryCall(contract.claimReview, claim)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(helper.account)])
    expect(await chief.isRefused(contract.approveReview, decision, contract.ClaimedByOther)).toBe(true)
    await helper.call(contract.unclaimReview, claim)
    await chief.call(contract.approveReview, decision)
    expect(await helper.isRefused(contract.claimReview, claim, contract.SettledAlready)).toBe(true)
  })

  test('lets two decide at once only once', async () => {
    const helper = await aStaffer(forum, ['content.review'])
    const commentId = await waitingComment()
    const decision = await decided(commentId)
    const answers = await Promise.all([
      chief.tryCall(contract.approveReview, decision),
      helper.tryCall(contract.rejectReview, { ...decision, ...reason }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    await countsAreRight()
  })

  test('names the tags in which something waits', async () => {
    await waitingComment()
    const { tags } = await chief.call(contract.reviewTags, {})
    expect(tags.find(({ place }) => place.id === tagId)?.count).toBeGreaterThan(0)
  })

  test('shows a post with its context', async () => {
    await aComment(mei, topicId, { body: says('What came before') })
    const { reviewId } = await decided(await waitingComment())
    expect(await chief.call(contract.openReview, { reviewId })).toMatchObject({
      kind: 'comment',
      author: { id: tom.id },
      why: 'words',
      words: ['perhaps'],
      found: [{ word: 'perhaps', as: 'Perhaps' }],
      before: [{ text: 'What came before', floor: 1, author: { id: mei.id } }],
      topicText: expect.stringContaining('The words of topic'),
      history: { topics: 0, comments: 0, approved: 0, rejected: 0 },
      present: null,
    })
  })

  test('shows staff the pictures of a post, which stay hidden from others', async () => {
    const bytes = await plain({ width: 1000, height: 500 }).png().toBuffer()
    const { file } = (await sendFile(tom, '/file/picture', { bytes })).json()
    const { reviewId } = await decided(await waitingComment(tom, documentWith(paragraph({ type: 'text', text: 'Perhaps' }), picture(file))))
    const { segments } = await chief.call(contract.openReview, { reviewId })
    const addresses = [...(segments[0]?.html ?? '').matchAll(/\/file\/[^\s",]+/g)].map(([address]) => address.replaceAll('&amp;', '&'))
    expect(addresses.length).toBeGreaterThan(3)
    const statusOf = async (url: string) => (await forum.app.inject({ method: 'GET', url })).statusCode
    expect(new Set(await Promise.all(addresses.map(statusOf)))).toEqual(new Set([200]))
    expect(await statusOf(`/file/${file}`)).toBe(404)
    expect(await statusOf((addresses[0] ?? '').replace(/key=[^&]*/, 'key=0.zzzz.nothing'))).toBe(404)
  })

  test('is for staff with the right only', async () => {
    const helper = await aStaffer(forum, ['content.view'])
    expect((await helper.tryCall(contract.reviewQueue, {})).status).toBe(403)
    expect((await mei.tryCall(contract.reviewQueue, {})).status).toBe(401)
  })
})
