import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '#base/server/http/route.ts'
import * as comment from '#comment/server/comment.ts'
import { adopt } from '#question/server/adopt.ts'
import * as question from '#question/server/ask.ts'
import { says } from '#writing/testing/factories.ts'
import { screenshot } from './shot.ts'
import { builtForum, type BrowserVisit } from './site.ts'
import { wordsIn } from './words.ts'
import { chooseTag } from './choose-tag.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

const titled = 'How long may longjing steep in a glass?'

test('a question is answered and the answer accepted, and shown so on the page, in the list and on its author’s page', async () => {
  const asker = await site.visit({ as: 'azhe', language: 'en' })
  await ask(asker)
  const { pathname, search } = new URL(asker.page.url())
  const address = pathname + search
  await screenshot(asker.page, 'question-asked')

  const other = await site.visit({ as: 'laochen', language: 'zh', width: 'phone' })
  await other.page.goto(address)
  await other.page.getByText(zh('topic.unanswered'), { exact: true }).waitFor()
  await other.page.locator('#thread-bar button').first().click()
  await write(other.page, zh('comment.yours', { of: 'question' }), '八十度的水，看着叶子沉下去就喝。')
  await other.page.getByRole('button', { name: zh('comment.post', { of: 'question' }), exact: true }).click()
  await other.page.locator('main article').getByText('看着叶子沉下去').waitFor()

  await asker.page.goto(address)
  await asker.page.getByRole('button', { name: en('question.adopt'), exact: true }).click()
  await asker.page.getByText(en('comment.best'), { exact: true }).waitFor()
  await asker.page.getByText(en('topic.resolved'), { exact: true }).first().waitFor()
  await screenshot(asker.page, 'question-resolved')
  await asker.page.getByRole('button', { name: en('question.addPostscript') }).click()
  await write(asker.page, en('question.yourPostscript'), 'It worked with eighty degrees.')
  await asker.page.getByRole('button', { name: en('question.post'), exact: true }).click()
  await asker.page.getByText(en('question.postscript', { number: 1 })).waitFor()

  const visitor = await site.visit({ language: 'zh', width: 'phone' })
  await visitor.page.goto('/askList?state=resolved')
  await screenshot(visitor.page, 'questions-phone')
  await visitor.page.getByRole('link', { name: titled }).click()
  await visitor.page.getByText(zh('comment.best'), { exact: true }).waitFor()
  await visitor.page.getByText('It worked with eighty degrees.').waitFor()
  await screenshot(visitor.page, 'question-phone')
  await visitor.page.goto(address.replace('/question?questionId', '/thread?topicId'))
  expect(new URL(visitor.page.url()).pathname).toBe('/question')

  await other.page.goto('/user/control/answerList')
  await other.page.getByText('看着叶子沉下去').waitFor()
  for (const walk of [asker, other, visitor]) {
    expect(walk.complaints).toEqual([])
    await walk.context.close()
  }
})

async function ask({ page }: BrowserVisit): Promise<void> {
  await page.goto('/askList')
  await screenshot(page, 'questions')
  await page
    .getByRole('link', { name: en('site.ask'), exact: true })
    .locator('visible=true')
    .click()
  await chooseTag(page, en('tag.tag'))
  await page.getByRole('textbox', { name: en('topic.title') }).fill(titled)
  await write(page, en('topic.body'), 'It turns bitter each time.')
  await page.getByRole('button', { name: en('question.ask'), exact: true }).click()
  await page.getByRole('link', { name: en('topic.goNow') }).click()
  await page.waitForURL((url) => url.pathname === '/question')
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.type(text)
}

test('a question that is not sent yet keeps its tags', async () => {
  const { page, context, complaints } = await site.visit({ as: 'azhe', language: 'en' })
  await page.goto('/addQuestion')
  await page.getByRole('textbox', { name: en('topic.title') }).fill('Half a question')
  for (let times = 0; times < 3; times++) await chooseTag(page, en('tag.tag'))
  const chips = page.getByRole('list', { name: en('tag.chosen') }).getByRole('listitem')
  const before = await chips.allInnerTexts()
  await page.reload()
  await expect.poll(() => page.getByRole('textbox', { name: en('topic.title') }).inputValue()).toBe('Half a question')
  expect(before).toHaveLength(3)
  await expect.poll(() => chips.allInnerTexts()).toEqual(before)
  expect(complaints).toEqual([])
  await context.close()
})

test('the accepted answer is first, and the others are in the reader’s order', async () => {
  const { page, context, complaints } = await site.visit({ as: 'azhe', language: 'en' })
  const questionId = await aSolvedQuestion()
  const floors = () => page.locator('[data-floor]').evaluateAll((all) => all.map((one) => one.getAttribute('data-floor')))
  await page.goto(`/question?questionId=${questionId}`)
  expect(await floors()).toEqual(['2', '1', '3'])
  await page.getByRole('link', { name: en('comment.newest'), exact: true }).click()
  await expect.poll(floors).toEqual(['2', '3', '1'])
  await screenshot(page, 'question-newest')
  await page.getByRole('link', { name: en('comment.oldest'), exact: true }).click()
  await expect.poll(floors).toEqual(['2', '1', '3'])
  await page.evaluate(() => localStorage.setItem('reading', JSON.stringify({ flow: 'scroll', shape: 'tree' })))
  await page.reload()
  await expect.poll(floors).toEqual(['2', '1', '3'])
  await page.getByRole('link', { name: en('comment.onlyAuthor', { of: 'question' }), exact: true }).click()
  await expect.poll(floors).toEqual(['3'])
  expect(complaints).toEqual([])
  await context.close()
})

/** A question by azhe with three answers, the third their own, of which the second is accepted. */
async function aSolvedQuestion(): Promise<string> {
  const [asker, other] = [await memberCalled('azhe'), await memberCalled('laochen')]
  let solvedId = ''
  await site.write(async (tx) => {
    const { id: tagId } = await tx.selectFrom('tag').select('id').where('parent_id', 'is not', null).orderBy('id').executeTakeFirstOrThrow()
    const { questionId } = await question.ask(tx, asker, {
      tagId,
      tagIds: [],
      title: 'Which kettle boils quietly?',
      body: says('Mine sings.'),
    })
    const answer = (author: Member, text: string) => comment.add(tx, author, { kind: 'comment', under: questionId, body: says(text) })
    await answer(other, 'One of iron.')
    const { id } = await answer(other, 'One of clay.')
    await answer(asker, 'I tried one of glass.')
    await adopt(tx, asker, questionId, id)
    solvedId = questionId
  })
  return solvedId
}

async function memberCalled(account: string): Promise<Member> {
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()
  return { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
}
