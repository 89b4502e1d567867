import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { builtForum, type BrowserVisit } from './site.ts'
import { screenshot } from './shot.ts'
import { wordsIn } from './words.ts'

const site = await builtForum({ listens: true })
const [zh, en] = [wordsIn('zh'), wordsIn('en')]
const azhe = await memberId('azhe')

test('two members write to each other on two devices, with a request, a picture and a lost connection, until one blocks', async () => {
  const desk = await site.visit({ as: 'laochen' })
  const phone = await site.visit({ as: 'azhe', language: 'en', width: 'phone' })

  await desk.page.goto(`/user/control/home?userId=${azhe}`)
  await desk.page.getByRole('link', { name: zh('message.write'), exact: true }).click()
  await write(desk.page, '周末一起喝茶吗？')
  await bubble(desk.page, '周末一起喝茶吗？').waitFor()
  await inOrder(desk, 'message-asked')

  await accept(phone)
  await write(phone.page, 'With pleasure, at three?')
  await bubble(desk.page, 'With pleasure, at three?').waitFor()
  expect(await bubble(desk.page, 'With pleasure').getAttribute('data-mine')).toBeNull()

  await sendPicture(desk.page)
  await expect.poll(() => widthIn(phone.page)).toBeGreaterThan(0)
  await inOrder(phone, 'message-picture-phone')

  await throughALostLine(desk, phone)
  await deleteOne(phone, desk)
  await haveEnough(phone, desk)
  for (const { complaints, context } of [desk, phone]) {
    expect(complaints.filter((one) => !/ERR_INTERNET_DISCONNECTED|status of (404|422)/.test(one))).toEqual([])
    await context.close()
  }
})

async function accept(phone: BrowserVisit): Promise<void> {
  const { page } = phone
  await page.goto('/index')
  const ways = page.getByRole('navigation', { name: en('site.quickLinks') })
  await ways.locator('a[href="/user/control/privateMessageList"]').click()
  await page.getByRole('searchbox', { name: en('message.search') }).waitFor()
  await inOrder(phone, 'messages-phone')
  await page.getByRole('link', { name: en('message.requests') }).click()
  await page.getByRole('listitem').getByText('周末一起喝茶吗？').click()
  await bubble(page, '周末一起喝茶吗？').waitFor()
  await inOrder(phone, 'message-request-phone')
  await page.getByRole('button', { name: en('message.accept') }).click()
  await page.getByRole('button', { name: en('message.accept') }).waitFor({ state: 'detached' })
}

async function sendPicture(page: Page): Promise<void> {
  const buffer = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#7a9a86' } })
    .png()
    .toBuffer()
  await page.locator('form input[type="file"]').first().setInputFiles({ name: 'tea.png', mimeType: 'image/png', buffer })
  await page.locator('form [contenteditable="true"] img[src^="/file/"]').waitFor()
  await page.getByRole('button', { name: zh('message.send'), exact: true }).click()
  await page.locator('[role="log"] .picture img').waitFor()
}

/** Messages written offline wait, even across a reload, and are sent once and in order. */
async function throughALostLine(desk: BrowserVisit, phone: BrowserVisit): Promise<void> {
  await desk.context.setOffline(true)
  await write(desk.page, '断线时的第一句')
  await write(desk.page, '断线时的第二句')
  await bubble(desk.page, '断线时的第二句').getByText(zh('message.waitsForLine')).waitFor()
  await screenshot(desk.page, 'message-waits')
  await desk.context.setOffline(false)
  await bubble(phone.page, '断线时的第二句').waitFor()
  await desk.page.reload()
  await bubble(desk.page, '断线时的第二句').waitFor()
  for (const { page } of [desk, phone]) {
    const texts = await page.locator('[role="log"] li').filter({ hasText: '断线时的' }).locator('.prose').allTextContents()
    expect(texts).toEqual(['断线时的第一句', '断线时的第二句'])
  }
  await desk.page.getByText(zh('message.waitsForLine')).waitFor({ state: 'detached' })
}

async function deleteOne({ page }: BrowserVisit, desk: BrowserVisit): Promise<void> {
  const one = bubble(page, '断线时的第一句')
  await one.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 40, clientY: 300 })
  await page.locator('[data-pressed]').waitFor()
  await one.dispatchEvent('pointerup', { pointerType: 'touch', clientX: 40, clientY: 300 })
  await page.getByRole('menuitem', { name: en('message.deleteMine') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('message.delete') })
    .click()
  await one.waitFor({ state: 'detached' })
  await desk.page.reload()
  await bubble(desk.page, '断线时的第一句').waitFor()
}

async function haveEnough(phone: BrowserVisit, desk: BrowserVisit): Promise<void> {
  const { page } = phone
  await page.getByRole('button', { name: en('message.actions'), exact: true }).click()
  await page.getByRole('menuitem', { name: en('follow.block') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('follow.block') })
    .click()
  await page.getByText(en('message.closedBlockedByYou', { name: '老陈泡茶' })).waitFor()
  await inOrder(phone, 'message-blocked-phone')

  await write(desk.page, '还在吗？')
  await desk.page.getByText(zh('message.notReceiving')).waitFor()
  await desk.page.getByText(zh('message.closedNotReceiving', { name: '阿哲' })).waitFor()
  await inOrder(desk, 'message-refused')
  await bubble(desk.page, '还在吗？')
    .getByRole('button', { name: zh('message.throwAway') })
    .click()
  await bubble(desk.page, '还在吗？').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: en('message.actions'), exact: true }).click()
  await page.getByRole('menuitem', { name: en('message.deleteAll') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('message.delete') })
    .click()
  await page.waitForURL('**/privateMessageList**')
  await expect.poll(() => page.getByRole('listitem').getByText('断线时的').count()).toBe(0)
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator('form [contenteditable="true"]').click()
  await page.keyboard.insertText(text)
  await page
    .locator('form:has([contenteditable="true"])')
    .getByRole('button', { name: new RegExp(`^(${zh('message.send')}|${en('message.send')})$`) })
    .click()
}

function bubble(page: Page, text: string): Locator {
  return page.locator('[role="log"] li').filter({ hasText: text })
}

function widthIn(page: Page): Promise<number> {
  return page.evaluate('document.querySelector("[role=log] .picture img")?.naturalWidth ?? 0')
}

async function inOrder({ page }: BrowserVisit, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await screenshot(page, name)
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
}

async function memberId(account: string): Promise<string> {
  const { app } = site.database
  return (await app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}
