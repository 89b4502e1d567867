import { beforeAll, expect, test } from 'vitest'
import type { Block } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { documentOf } from '#apps/web/document.ts'
import { structuredData, type StructuredData } from '#apps/web/structured-data.ts'
import { addComment, addReply, listComments, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { question } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, publishTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

const origin = 'https://tea.example.org'
const around = { origin, title: 'Tea', description: 'A quiet place', language: 'en' } as const

let forum: Forum
let mei: Person
let lin: Person
let tea: string
let green: string
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  ;[mei, lin] = await Promise.all([forum.member('mei_mei'), forum.member('lin_lin')])
  tea = await aTag(forum.database, { name: 'Tea' })
  green = await aTag(forum.database, { name: 'Green', under: tea })
  const heading: Block = { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'A & B <c>' }] }
  topicId = await aTopic(mei, green, {
    title: 'Which tea?',
    body: documentWith(heading, paragraph({ type: 'text', text: 'In the "morning".' })),
  })
})

async function ofThread(): Promise<StructuredData[]> {
  const visitor = forum.visitor()
  const [topic, list] = await Promise.all([visitor.call(thread, { topicId }), visitor.call(listComments, { topicId })])
  return structuredData('/thread', { topic, list }, around)
}

test('a thread is a posting with its author and its comments', async () => {
  const commentId = await aComment(lin, topicId, { body: says('Green.', 'Or white.') })
  const replyId = await aReply(mei, commentId, { body: says('White it is.') })
  const [posting, crumbs] = await ofThread()
  expect(posting).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    headline: 'Which tea?',
    text: 'A & B <c>\nIn the "morning".',
    url: `${origin}/thread?topicId=${topicId}`,
    author: { '@type': 'Person', name: 'mei_mei', url: `${origin}/user/control/home?userId=${mei.id}` },
    datePublished: expect.stringMatching(/^\d{4}-/),
    commentCount: 2,
    comment: [
      {
        '@type': 'Comment',
        text: 'Green.\nOr white.',
        url: `${origin}/thread?topicId=${topicId}&commentId=${commentId}`,
        author: { name: 'lin_lin' },
        comment: [{ text: 'White it is.', url: `${origin}/thread?topicId=${topicId}&replyId=${replyId}` }],
      },
    ],
  })
  expect(crumbs).toMatchObject({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { position: 1, name: 'Tea', item: `${origin}/index` },
      { position: 2, name: 'Tea', item: `${origin}/index?tagId=${tea}` },
      { position: 3, name: 'Green', item: `${origin}/index?tagId=${green}` },
      { position: 4, name: 'Which tea?', item: `${origin}/thread?topicId=${topicId}` },
    ],
  })
})

test('a post that is labelled as AI-generated says so, and no other', async () => {
  const words = { tagId: green, title: 'By a model', body: says('Written by a model.'), aiGenerated: true }
  const { topicId: id } = await lin.call(publishTopic, words)
  await aComment(lin, id)
  await lin.call(addComment, { topicId: id, body: says('By another model.'), aiGenerated: true })
  const visitor = forum.visitor()
  const [topic, list] = await Promise.all([visitor.call(thread, { topicId: id }), visitor.call(listComments, { topicId: id })])
  const [posting] = structuredData('/thread', { topic, list }, around)
  const source = 'https://schema.org/TrainedAlgorithmicMediaDigitalSource'
  expect(posting).toMatchObject({ digitalSourceType: source })
  expect(posting).toMatchObject({ comment: [expect.not.objectContaining({ digitalSourceType: source }), { digitalSourceType: source }] })
})

test('a question is listed among questions, and has its own address', async () => {
  const [visitor, questionId] = [forum.visitor(), await aQuestion(mei, green)]
  const [topic, list, its] = await Promise.all([
    visitor.call(thread, { topicId: questionId }),
    visitor.call(listComments, { topicId: questionId }),
    visitor.call(question, { questionId }),
  ])
  const [page, crumbs] = structuredData('/question', { topic, list, question: its }, around)
  const url = `${origin}/question?questionId=${questionId}`
  expect(page).toMatchObject({ '@type': 'QAPage', url, mainEntity: { '@type': 'Question', url } })
  expect(crumbs).toMatchObject({
    itemListElement: [
      { name: 'Tea' },
      { name: 'Tea', item: `${origin}/askList?tagId=${tea}` },
      { name: 'Green', item: `${origin}/askList?tagId=${green}` },
      { item: `${origin}/question?questionId=${questionId}` },
    ],
  })
})

test('a removed comment has no text, and its replies still do', async () => {
  const commentId = await aComment(lin, topicId, { body: says('a secret slip') })
  await mei.call(addReply, { commentId, body: says('What was that?') })
  await lin.call(removeRemark, { kind: 'comment', id: commentId })
  const text = JSON.stringify(await ofThread())
  expect(text).not.toContain('a secret slip')
  expect(text).toContain('What was that?')
})

test('the index is the site, a tag a way to it, and a member a person', async () => {
  const visitor = forum.visitor()
  const [list, within, person] = await Promise.all([
    visitor.call(listTopics, {}),
    visitor.call(listTopics, { tagId: green }),
    visitor.call(home, { userId: mei.id }),
  ])
  expect(structuredData('/index', { list }, around)).toMatchObject([{ '@type': 'WebSite', name: 'Tea', url: `${origin}/index` }])
  expect(structuredData('/index', { list: within }, around)).toMatchObject([{ '@type': 'BreadcrumbList', itemListElement: { length: 3 } }])
  expect(structuredData('/user/control/home', person, around)).toMatchObject([
    {
      '@type': 'ProfilePage',
      mainEntity: { '@type': 'Person', name: 'mei_mei', identifier: mei.id, agentInteractionStatistic: { userInteractionCount: 3 } },
    },
  ])
  expect(structuredData('/user/control/home', { ...person, counts: null }, around)).toEqual([])
  expect(structuredData('/login', undefined, around)).toEqual([])
})

test('no text ends the block of data, or breaks out of the head', () => {
  const bad = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>\u2028'
  const document = documentOf({
    language: 'en',
    siteTitle: bad,
    mainColour: '',
    icon: null,
    head: { title: bad, description: bad, feed: `/feed?${bad}`, canonical: `/index?${bad}` },
    files: { scripts: [], styles: [], preloads: [], theme: '/t.js', asPhone: '/p.js' },
    html: Buffer.from(''),
    state: '{}',
    structured: [{ '@type': 'WebSite', name: bad }],
    origin,
    layout: 'responsive',
  }).toString()
  expect(document).not.toMatch(/<script>|<img/)
  const block = /<script type="application\/ld\+json">(.*)<\/script>/.exec(document)?.[1] ?? ''
  expect(JSON.parse(block)).toEqual({ '@type': 'WebSite', name: bad })
})
