import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LabelByStaff } from '#ai-label/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { undoBatch } from '#batch/contract.ts'
import * as comments from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { doAtOnce } from '#content/contract.ts'
import { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { labelPost } from '#content/label-contract.ts'
import { mergeTopics, moveComments, splitTopic } from '#content/move-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { askQuestion, editQuestion } from '#question/contract.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import * as search from '#search/contract.ts'
import { settledIn } from '#search/testing/engine-suite.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [ann, tom] = [] as unknown as [Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  await set({ aiLabels: 'declare', reviewTopics: 'words', reviewComments: 'words' })
  ;[ann, tom] = [await forum.member(), await forum.member()]
})

const set = (values: Partial<Settings>) => transact(forum.database, (tx) => applySettings(tx, values))
const labelOf = async (topicId: string) => (await forum.visitor().call(topics.thread, { topicId })).aiLabel
const labelsUnder = async (topicId: string) =>
  (await forum.visitor().call(comments.listComments, { topicId })).comments.flatMap(({ aiLabel, replies }) => [
    aiLabel,
    ...replies.map((reply) => reply.aiLabel),
  ])
const aLabelled = async (who: Person, title = 'Made with a model') =>
  (await who.call(topics.publishTopic, { tagId, title, body: says(`It was drafted by a model: ${title}`), aiGenerated: true })).topicId
const aLabelledComment = async (who: Person, topicId: string, text = 'A model said so.') =>
  (await who.call(comments.addComment, { topicId, body: says(text), aiGenerated: true })).commentId
const staffLabel = (kind: 'topic' | 'comment' | 'reply', id: string, isLabelled = true) =>
  chief.call(labelPost, { kind, id, isLabelled, reason: 'It reads like one' })

describe('a declaration', () => {
  test('labels topics, questions, comments, answers and replies, on their pages and in lists', async () => {
    const topicId = await aLabelled(ann)
    const plain = await aTopic(ann, tagId)
    const draft = { tagId, title: 'Which model?', body: says('It asks for me.'), aiGenerated: true }
    const { questionId } = await ann.call(askQuestion, draft)
    expect([await labelOf(topicId), await labelOf(plain), await labelOf(questionId)]).toEqual(['author', null, 'author'])
    const { topics: listed } = await forum.visitor().call(topics.listTopics, { tagId })
    expect(listed.find(({ id }) => id === topicId)?.aiLabel).toBe('author')
    expect(listed.find(({ id }) => id === plain)?.aiLabel).toBeNull()
    const commentId = await aLabelledComment(tom, topicId)
    await tom.call(comments.addReply, { commentId, body: says('And so.'), aiGenerated: true })
    await aReply(ann, commentId)
    expect(await labelsUnder(topicId)).toEqual(['author', 'author', null])
    await aLabelledComment(tom, questionId)
    expect(await labelsUnder(questionId)).toEqual(['author'])
  })

  test('stays over an edit without it, comes and goes with one that has it, and is in the history', async () => {
    const topicId = await aLabelled(ann)
    const edit = (aiGenerated?: boolean) =>
      ann.call(topics.editTopic, { topicId, title: 'Made with care', body: says('Now in my own words.'), aiGenerated })
    await edit()
    expect(await labelOf(topicId)).toBe('author')
    expect((await ann.call(topics.editableTopic, { topicId })).aiLabel).toBe('author')
    await edit(false)
    expect(await labelOf(topicId)).toBeNull()
    const { versions } = await forum.visitor().call(topics.topicHistory, { topicId })
    expect(versions.map(({ aiLabel }) => aiLabel)).toEqual([null, 'author', 'author'])
    const commentId = await aComment(tom, topicId)
    await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('A remark.'), aiGenerated: true })
    expect(await labelsUnder(topicId)).toEqual(['author'])
    const { versions: ofComment } = await forum.visitor().call(comments.remarkHistory, { topicId, kind: 'comment', id: commentId })
    expect(ofComment.map(({ aiLabel }) => aiLabel)).toEqual(['author', null])
  })

  test('waits for review with a new post, and with an edit', async () => {
    await set({ reviewTopics: 'everybody', reviewComments: 'everybody' })
    const topicId = await aLabelled(ann)
    await approve(topicId)
    expect(await labelOf(topicId)).toBe('author')
    await ann.call(topics.editTopic, { topicId, title: 'Made by hand', body: says('By hand.'), aiGenerated: false })
    expect(await labelOf(topicId)).toBe('author')
    expect((await ann.call(topics.editableTopic, { topicId })).aiLabel).toBeNull()
    await approve(topicId)
    expect(await labelOf(topicId)).toBeNull()
    await ann.call(topics.editTopic, { topicId, title: 'Made by hand', body: says('By hand again.'), aiGenerated: true })
    await staffLabel('topic', topicId)
    await approve(topicId)
    expect(await labelOf(topicId)).toBe('staff')
  })

  test('goes with a comment to another topic, into a topic of its own, and back', async () => {
    const [topicId, other] = [await aTopic(ann, tagId), await aTopic(ann, tagId)]
    const commentId = await aLabelledComment(tom, topicId)
    await tom.call(comments.editRemark, { kind: 'comment', id: commentId, body: says('A model said it twice.') })
    await chief.call(moveComments, { topicId, commentIds: [commentId], to: other })
    expect(await labelsUnder(other)).toEqual(['author'])
    const { topicId: own } = await chief.call(splitTopic, { topicId: other, commentIds: [commentId], title: 'Of its own', tagId })
    expect(await labelOf(own)).toBe('author')
    expect((await forum.visitor().call(topics.topicHistory, { topicId: own })).versions.map(({ aiLabel }) => aiLabel)).toEqual([
      'author',
      'author',
    ])
    await chief.call(mergeTopics, { topicIds: [own], to: topicId })
    expect((await labelsUnder(topicId)).filter(Boolean)).toEqual(['author'])
  })

  test('is copied with the post and filters the search', async () => {
    const [topicId, plain] = [await aLabelled(ann, 'Lapsang by model'), await aTopic(ann, tagId, { title: 'Lapsang by hand' })]
    const commentId = await aLabelledComment(tom, plain, 'Lapsang, a model says')
    const line = '[contains AI-generated content]'
    const markdownOf = async (id: string) =>
      (await forum.visitor().call(topics.topicMarkdown, { topicId: id })).markdown.replaceAll('\\', '')
    expect(await markdownOf(topicId)).toContain(line)
    expect(await markdownOf(plain)).not.toContain(line)
    const copied = await forum.visitor().call(comments.commentMarkdown, { topicId: plain, commentId })
    expect(copied.markdown.replaceAll('\\', '')).toContain(line)
    const found = async (ai?: 'only' | 'without') => {
      const { hits } = await forum.visitor().call(search.search, { keyword: 'lapsang', ...(ai && { ai }) })
      return hits.map(({ kind, id, aiLabel }) => `${kind} ${id} ${aiLabel}`).sort()
    }
    await settledIn(forum.database)
    const labelled = [`comment ${commentId} author`, `topic ${topicId} author`].sort()
    expect(await found('only')).toEqual(labelled)
    expect(await found('without')).toEqual([`topic ${plain} null`])
    await staffLabel('topic', plain)
    await settledIn(forum.database)
    expect(await found('without')).toEqual([])
    expect(await found()).toHaveLength(3)
    await set({ aiLabels: 'off' })
    expect(await found('only')).toHaveLength(3)
    expect(await markdownOf(topicId)).not.toContain(line)
  })

  test('is nowhere on a site that labels nothing, and is there again when it does', async () => {
    const topicId = await aLabelled(ann)
    await aLabelledComment(tom, topicId)
    await set({ aiLabels: 'off' })
    expect(await labelOf(topicId)).toBeNull()
    expect(await labelsUnder(topicId)).toEqual([null])
    const feed = async () => (await forum.app.inject(`/feed?tagId=${tagId}`)).body
    expect(await feed()).not.toContain('trainedAlgorithmicMedia')
    await set({ aiLabels: 'ask' })
    expect(await labelOf(topicId)).toBe('author')
    expect(await feed()).toMatch(/trainedAlgorithmicMedia/i)
  })
})

describe('the label of staff', () => {
  test('cannot be removed by the author, whose edit is refused beside the box and keeps it otherwise', async () => {
    const topicId = await aTopic(ann, tagId)
    const commentId = await aComment(ann, topicId)
    const replyId = await aReply(ann, commentId)
    for (const [kind, id] of [
      ['topic', topicId],
      ['comment', commentId],
      ['reply', replyId],
    ] as const)
      await staffLabel(kind, id)
    const body = says('Nothing to see.')
    expect(await ann.isRefused(topics.editTopic, { topicId, title: 'By hand', body, aiGenerated: false }, LabelByStaff)).toBe(true)
    expect(await ann.isRefused(comments.editRemark, { kind: 'comment', id: commentId, body, aiGenerated: false }, LabelByStaff)).toBe(true)
    expect(await ann.isRefused(comments.editRemark, { kind: 'reply', id: replyId, body, aiGenerated: false }, LabelByStaff)).toBe(true)
    await ann.call(topics.editTopic, { topicId, title: 'By hand', body, aiGenerated: true })
    await ann.call(comments.editRemark, { kind: 'comment', id: commentId, body })
    expect(await labelOf(topicId)).toBe('staff')
    expect(await labelsUnder(topicId)).toEqual(['staff', 'staff'])
    const { questionId } = await ann.call(askQuestion, { tagId, title: 'By whom?', body: says('Who wrote it?') })
    await staffLabel('topic', questionId)
    expect(await ann.isRefused(editQuestion, { questionId, title: 'By me', body, aiGenerated: false }, LabelByStaff)).toBe(true)
  })

  test('is set and removed only by staff with the right to edit posts, is logged, and its author is told why', async () => {
    const commentId = await aComment(ann, await aTopic(ann, tagId))
    const reader = await aStaffer(forum, ['content.view'])
    const wish = { kind: 'comment', id: commentId, isLabelled: true } as const
    for (const who of [ann, forum.visitor(), reader]) expect((await who.tryCall(labelPost, wish)).status).toBeGreaterThanOrEqual(401)
    await staffLabel('comment', commentId)
    await staffLabel('comment', commentId)
    await staffLabel('comment', commentId, false)
    const log = (await chief.call(auditLog, { about: `comment ${commentId}` })).rows
    expect(log.map(({ action, reason }) => [action, reason])).toEqual([
      ['comment.unlabelAi', 'It reads like one'],
      ['comment.labelAi', 'It reads like one'],
    ])
    expect((await noticesOf(ann)).map(({ says: fact }) => fact)).toMatchObject([
      { kind: 'postUnlabelled', post: { id: commentId }, reason: 'It reads like one' },
      { kind: 'postLabelled', post: { id: commentId }, reason: 'It reads like one' },
    ])
  })

  test('narrows the lists of staff, is set on many at once and undone', async () => {
    const authorId = ann.id
    const [one, two] = [await aTopic(ann, tagId), await aLabelled(ann)]
    const commentId = await aLabelledComment(ann, one)
    await aReply(ann, commentId)
    const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
    expect(ids(await chief.call(topicsForStaff, { author: authorId, ai: 'only' }))).toEqual([two])
    expect(ids(await chief.call(topicsForStaff, { author: authorId, ai: 'without' }))).toEqual([one])
    expect(ids(await chief.call(commentsForStaff, { author: authorId, ai: 'only' }))).toEqual([commentId])
    expect(ids(await chief.call(repliesForStaff, { author: authorId, ai: 'only' }))).toEqual([])
    const { batch } = await chief.call(doAtOnce, { action: 'topic.labelAi', ids: [one, two] })
    expect([await labelOf(one), await labelOf(two)]).toEqual(['staff', 'staff'])
    expect((await noticesOf(ann)).map(({ says: fact }) => fact)).toMatchObject([{ kind: 'manyLabelled', count: 2 }])
    await chief.call(undoBatch, { batchId: batch.id })
    expect([await labelOf(one), await labelOf(two)]).toEqual([null, 'author'])
  })
})

async function approve(postId: string): Promise<void> {
  const waiting = (await chief.call(reviewQueue, { size: 200 })).rows.find((row) => row.postId === postId)
  await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
}
