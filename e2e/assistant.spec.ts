import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aProvider, type Provider } from '#assistant/testing/factories.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

const panelOf = (page: Page, say: typeof zh) => page.getByRole('dialog', { name: say('assistant.title') })

async function answersBy({ address }: Pick<Provider, 'address'>, isStandIn: boolean): Promise<void> {
  await site.write(async (tx) => {
    await tx.deleteFrom('assistant_model').execute()
    const jobs = ['chat', 'summary', 'writing', 'translation']
    const its = { name: 'Stand-in', protocol: 'openai', address, model: 'stand-in', jobs, context_tokens: 32_000 } as const
    await tx
      .insertInto('assistant_model')
      .values({ ...its, jobs, is_enabled: true, is_stand_in: isStandIn })
      .execute()
  })
  await site.change('allowAssistant', true)
}

test('a member asks beside the page and on a phone, and follows a source to its floor', async () => {
  await answersBy({ address: 'http://stand-in.invalid/v1' }, true)
  const desktop = await site.visit({ as: 'laochen', language: 'zh' })
  const { page } = desktop
  await page.goto('/index')
  await page.getByRole('button', { name: zh('assistant.title') }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: zh('keys.title') })
  await help.getByText(zh('keys.assistant')).waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  const panel = panelOf(page, zh)
  // Closing the help restores the focus a moment later, and with it the shortcuts.
  await expect
    .poll(async () => {
      if (!(await panel.isVisible())) await page.keyboard.press('i')
      return panel.isVisible()
    })
    .toBe(true)
  await panel.getByRole('textbox', { name: zh('assistant.prompt') }).fill('怎么泡好龙井茶？')
  await page.keyboard.press('Control+Enter')
  const sources = panel.getByRole('region', { name: zh('assistant.sources') })
  await panel.getByText(zh('assistant.standIn'), { exact: true }).waitFor()
  await screenshot(page, 'assistant')
  expect(await accessibilityViolations(page)).toEqual([])
  await sources.getByRole('link', { name: /#\d+$/ }).first().click()
  await page.waitForURL((url) => url.searchParams.has('commentId'))
  await panel.getByText(zh('assistant.knowsTopic')).waitFor()
  await screenshot(page, 'assistant-beside-thread')

  const phone = await site.visit({ as: 'azhe', language: 'en', width: 'phone', theme: 'dark' })
  await phone.page.goto('/index')
  await phone.page.getByRole('button', { name: en('assistant.title') }).click()
  const sheet = panelOf(phone.page, en)
  await screenshot(phone.page, 'assistant-empty-phone')
  await sheet.getByRole('textbox', { name: en('assistant.prompt') }).fill('keyboard')
  await sheet.getByRole('button', { name: en('assistant.send'), exact: true }).click()
  await sheet.getByText(en('assistant.standIn'), { exact: true }).waitFor()
  await screenshot(phone.page, 'assistant-phone')
  expect(await accessibilityViolations(phone.page)).toEqual([])
  await sheet.getByRole('button', { name: en('assistant.history') }).click()
  await phone.page.getByRole('button', { name: /^keyboard/ }).waitFor()
  await screenshot(phone.page, 'assistant-history-phone')
  expect(await accessibilityViolations(phone.page)).toEqual([])
  await phone.page.getByRole('button', { name: en('assistant.backToTalk') }).click()
  await sheet
    .getByRole('region', { name: en('assistant.sources') })
    .getByRole('link', { name: /#\d+$/ })
    .first()
    .click()
  await phone.page.waitForURL((url) => url.searchParams.has('commentId'))
  await sheet.waitFor({ state: 'hidden' })
  for (const { complaints, context } of [desktop, phone]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('code of an answer goes into the post that a member writes, and nothing of the assistant is there once it is off', async () => {
  const says = ['Two cups:\n\n```python\n', 'cups = 2\n', '```\n']
  await answersBy(await aProvider(() => ({ says })), false)
  const { page, complaints, context } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/addTopic')
  await page.getByRole('button', { name: en('editor.ai') }).click()
  const panel = panelOf(page, en)
  await panel.getByRole('textbox', { name: en('assistant.prompt') }).fill('How do I write two cups?')
  await page.keyboard.press('Control+Enter')
  await panel.getByRole('button', { name: en('editor.insertCode'), exact: true }).click()
  const body = page.getByRole('textbox', { name: en('topic.body') })
  await body.locator('pre', { hasText: 'cups = 2' }).waitFor()
  await screenshot(page, 'assistant-editor')
  expect(await panel.getByText(en('assistant.standIn'), { exact: true }).count()).toBe(0)
  await site.change('allowAssistant', false)
  await page.goto('/index')
  await page.getByRole('button', { name: en('site.menuOf', { name: '老陈泡茶' }) }).waitFor()
  expect(await page.getByRole('button', { name: en('assistant.title') }).count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})
