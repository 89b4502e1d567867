import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { shot } from './shot.ts'
import { aSite, type Walk } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

const titled = 'How long may longjing steep in a glass?'

test('one asks, another answers, the first accepts it, and it is seen on the page, in the list and with who wrote it', async () => {
  const asker = await site.visit({ as: 'azhe', language: 'en' })
  await ask(asker)
  const { pathname, search } = new URL(asker.page.url())
  const address = pathname + search
  await shot(asker.page, 'question-asked')

  const other = await site.visit({ as: 'laochen', language: 'zh', width: 'phone' })
  await other.page.goto(address)
  await other.page.getByText(zh('topic.unanswered'), { exact: true }).waitFor()
  await write(other.page, zh('comment.yours', { of: 'question' }), '八十度的水，看着叶子沉下去就喝。')
  await other.page.getByRole('button', { name: zh('comment.post', { of: 'question' }), exact: true }).click()
  await other.page.getByText('看着叶子沉下去').waitFor()

  await asker.page.goto(address)
  await asker.page.getByRole('button', { name: en('question.adopt'), exact: true }).click()
  await asker.page.getByText(en('comment.best'), { exact: true }).waitFor()
  await asker.page.getByText(en('topic.resolved'), { exact: true }).first().waitFor()
  await shot(asker.page, 'question-resolved')
  await asker.page.getByRole('button', { name: en('question.addPostscript') }).click()
  await write(asker.page, en('question.yourPostscript'), 'It worked with eighty degrees.')
  await asker.page.getByRole('button', { name: en('question.post'), exact: true }).click()
  await asker.page.getByText(en('question.postscript', { number: 1 })).waitFor()

  const visitor = await site.visit({ language: 'zh', width: 'phone' })
  await visitor.page.goto('/askList?state=resolved')
  await shot(visitor.page, 'questions-phone')
  await visitor.page.getByRole('link', { name: titled }).click()
  await visitor.page.getByText(zh('comment.best'), { exact: true }).waitFor()
  await visitor.page.getByText('It worked with eighty degrees.').waitFor()
  await shot(visitor.page, 'question-phone')
  await visitor.page.goto(address.replace('/question?questionId', '/thread?topicId'))
  expect(new URL(visitor.page.url()).pathname).toBe('/question')

  await other.page.goto('/user/control/answerList')
  await other.page.getByText('看着叶子沉下去').waitFor()
  for (const walk of [asker, other, visitor]) {
    expect(walk.complaints).toEqual([])
    await walk.context.close()
  }
})

async function ask({ page }: Walk): Promise<void> {
  await page.goto('/askList')
  await shot(page, 'questions')
  await page
    .getByRole('link', { name: en('site.ask'), exact: true })
    .locator('visible=true')
    .click()
  await page.getByRole('combobox', { name: en('tag.tag') }).selectOption({ index: 2 })
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
