import { useId } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { HtmlMemo } from '#apps/server/html-memo.ts'
import { renderWithMemo } from '#apps/web/memoized-parts.tsx'
import { render } from '#apps/web/server.tsx'
import type { Api } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aForum } from '#base/testing/forum.ts'
import { Memoized } from '#base/web/memoized.tsx'
import { transact } from '#base/server/database/database.ts'
import { addComment } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { hides } from '#hidden-part/testing/factories.ts'
import { aPoll } from '#poll/testing/factories.ts'
import { adoptAnswer } from '#question/contract.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { editTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

const hiding: Doc = { type: 'doc', content: [...says('Read on').content, hides('comment', '', 'And so on')] }
const forgetful = { digest: () => '', keyOf: () => '', get: () => undefined, set: (_: string, html: string) => Buffer.from(html) }

let renderings = 0

function Row({ name, withId = false }: { name: string; withId?: boolean }) {
  renderings++
  const id = useId()
  return <li id={withId ? id : undefined}>{name}</li>
}

function pageOf(memo: HtmlMemo, names: readonly string[], { language = 'en', withId = false } = {}): string {
  const rows = names.map((name) => (
    <Memoized key={name} by={() => ['row', name]}>
      <Row name={name} withId={withId} />
    </Memoized>
  ))
  return renderWithMemo(memo, { language, site: {}, address: '/' }, () => renderToString(<ol>{rows}</ol>)).toString()
}

test('a part is rendered once for all pages that show it, and nothing of its wrapper is sent', () => {
  const memo = new HtmlMemo(100_000)
  renderings = 0
  expect(pageOf(memo, ['one', 'two'])).toBe('<ol><li>one</li><li>two</li></ol>')
  expect(pageOf(memo, ['three', 'two', 'one'])).toBe('<ol><li>three</li><li>two</li><li>one</li></ol>')
  expect(renderings).toBe(3)
  pageOf(memo, ['one'], { language: 'zh' })
  expect(renderings).toBe(4)
})

test('a part with an id of React’s own belongs to its place in the page, and is rendered each time', () => {
  const memo = new HtmlMemo(100_000)
  expect(pageOf(memo, ['one', 'two'], { withId: true })).toContain(' id="')
  renderings = 0
  pageOf(memo, ['one', 'two'], { withId: true })
  expect(renderings).toBe(2)
})

test('a part in another is a fault, since the other would be kept without its end', () => {
  const page = (
    <Memoized by={() => ['outer']}>
      <Memoized by={() => ['inner']}>
        <b />
      </Memoized>
    </Memoized>
  )
  const render = () => renderToString(page)
  expect(() => renderWithMemo(new HtmlMemo(800), { language: 'en', site: {}, address: '/' }, render)).toThrow('lies in another')
})

test('the least used parts go when the room is full', () => {
  const memo = new HtmlMemo(800)
  for (const name of ['one', 'two', 'three']) pageOf(memo, [name.padEnd(100)])
  renderings = 0
  pageOf(memo, ['three'.padEnd(100)])
  expect(renderings).toBe(0)
  pageOf(memo, ['one'.padEnd(100)])
  expect(renderings).toBe(1)
})

test('pages of memoized parts have the bytes of a fresh rendering, after any change', async () => {
  const forum = await aForum()
  const [mei, lin, visitor] = [await forum.member(), await forum.member(), forum.visitor()]
  const tagId = await aTag(forum.database)
  const [topicId, questionId] = [await aTopic(mei, tagId), await aQuestion(mei, tagId)]
  const commentId = await aComment(lin, topicId)
  await aReply(mei, commentId)
  const answerId = await aComment(lin, questionId)
  await aComment(mei, questionId)
  const [{ topicId: pollId }, hidingId] = [await aPoll(mei, tagId), await aTopic(lin, tagId, { body: hiding })]
  const api = {
    async read(path: string, input: Record<string, unknown>) {
      const response = await visitor.send('GET', path, input)
      if (response.statusCode !== 200) throw new Response(null, { status: response.statusCode })
      return response.json()
    },
  } as unknown as Api
  const memo = new HtmlMemo(1_000_000)
  const thread = `/thread?topicId=${topicId}`
  const threads = [thread, `${thread}&order=desc`, `${thread}&onlyAuthor=true`, `/question?questionId=${questionId}`]
  const others = [`/thread?topicId=${pollId}`, `/thread?topicId=${hidingId}`, `/thread?topicId=${hidingId}&order=desc`]
  const lists = [
    '/index',
    `/index?tagId=${tagId}`,
    '/index?sort=new',
    `/index?sort=new&tagId=${tagId}`,
    '/askList',
    `/askList?tagId=${tagId}`,
    `/askList?tagId=${tagId}&sort=new`,
  ]
  const changes = [
    async () => undefined,
    () => lin.call(addComment, { topicId, body: says('Quoted'), quotes: commentId }),
    () => lin.call(editProfile, { nickname: 'Lin of the Well', showsActivity: true }),
    () => mei.call(adoptAnswer, { questionId, commentId: answerId }, { 'idempotency-key': crypto.randomUUID() }),
    () => mei.call(editTopic, { topicId, title: 'The title of another day', body: says('And other words') }),
    async () => void (await aTag(forum.database, { name: 'A tag beside them' })),
    () => transact(forum.database, (tx) => applySettings(tx, { title: 'House of tea', allowFeedback: false })),
    () => forum.database.app.updateTable('comment').set({ like_count: 7 }).where('id', '=', commentId).execute(),
  ]
  for (const change of changes) {
    await change()
    for (const path of [...threads, ...others, ...lists])
      for (const language of ['zh', 'en'] as const) {
        const request = { path, origin: '', language, api, isFrame: false }
        const [anew, memoized] = [await render({ ...request, memo: forgetful }), await render({ ...request, memo })]
        expect(memoized).toEqual(anew)
      }
  }
})
