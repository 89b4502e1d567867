import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { choose } from './post-menu.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')
const path = `/thread?topicId=${topicId}`

async function openCard(page: Page, words: ReturnType<typeof wordsIn>) {
  await page.goto(path)
  await choose(page.locator('main article').first(), words('share.card'))
  return page.getByRole('dialog', { name: words('share.card') })
}

const isDrawn = (picture: HTMLImageElement) => picture.complete && picture.naturalWidth === 1080

test('a visitor opens the card of a topic, copies it, saves it and takes its title along', async () => {
  const words = wordsIn('en')
  const { page, context, complaints } = await site.visit({ language: 'en' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = await openCard(page, words)
  const picture = dialog.getByRole('img')
  await picture.waitFor()
  expect(await picture.evaluate(isDrawn)).toBe(true)
  await screenshot(page, 'share-card')
  await dialog.getByRole('button', { name: words('share.copyPicture') }).click()
  await page.getByText(words('share.pictureCopied')).waitFor()
  expect(await page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))).toContain('image/png')
  await dialog.getByRole('button', { name: words('share.copyTitled') }).click()
  await page.getByText(words('share.titledCopied')).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`\n${site.url}${path}`)
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: words('share.savePicture') }).click()])
  expect(saved.suggestedFilename()).toBe('card.png')
  const weibo = dialog.getByRole('link', { name: words('share.weibo') })
  expect(await weibo.getAttribute('href')).toContain(encodeURIComponent(site.url + path))
  expect(await weibo.getAttribute('rel')).toContain('noopener')
  expect(complaints).toEqual([])
  await context.close()
})

test('a card that failed to load is asked for again on a phone', async () => {
  const words = wordsIn('zh')
  const { page, context } = await site.visit({ width: 'phone', theme: 'dark', isNew: true })
  await page.route('**/share/**', (route) => route.abort())
  const dialog = await openCard(page, words)
  await dialog.getByText(words('share.cardFailed')).waitFor()
  await screenshot(page, 'share-card-failed')
  await page.unroute('**/share/**')
  await dialog.getByRole('button', { name: words('site.retry') }).click()
  await dialog.getByRole('img').waitFor()
  expect(await dialog.getByRole('img').evaluate(isDrawn)).toBe(true)
  await screenshot(page, 'share-card-phone')
  await context.close()
})

test('a comment has a card, and a reply has none', async () => {
  const words = wordsIn('zh')
  const { page, context, complaints } = await site.visit()
  await page.goto(path)
  const comment = page.locator('li[id^="comment-"]:has([id^="reply-"])').first()
  await comment
    .locator('[id^="reply-"]')
    .first()
    .getByRole('button', { name: words('share.more') })
    .click()
  const menu = page.locator('[popover]:popover-open')
  await menu.getByRole('menuitem', { name: words('share.copyLink') }).waitFor()
  expect(await menu.getByRole('menuitem', { name: words('share.card') }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await choose(comment, words('share.card'))
  const picture = page.getByRole('dialog').getByRole('img')
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toContain(`commentId=${String(await comment.getAttribute('id')).slice('comment-'.length)}`)
  await screenshot(page, 'share-card-comment')
  expect(complaints).toEqual([])
  await context.close()
})
