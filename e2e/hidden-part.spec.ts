import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import type { Currency } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { chooseTag } from './choose-tag.ts'
import { readAsStaff, secrets, wrongParts } from './hidden-part-journey.ts'
import { lookOf } from './look-of.ts'
import { choose } from './post-menu.ts'
import { requireReauthentication, reauthenticate } from './reauthenticate.ts'
import { screenshot } from './shot.ts'
import { builtForum, type BrowserVisit } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]
await site.change('allowCash', true)

const look = lookOf(import.meta.url)
const titled = '五道门后面各放了什么'
const levels = await site.database.app.selectFrom('level').select(['name_zh', 'needs_points']).orderBy('needs_points').execute()
const highest = levels.at(-1)

/** As a grant by staff. */
async function give(account: string, currency: Currency, amount: number): Promise<void> {
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()
  await endow(site.database, id, amount, currency)
}

const [byPassword, byComment, byLevel, byPoints, byBalance] = secrets

test('an author hides five parts, a visitor sees five boxes and nothing else, and a member opens each', async () => {
  await give('azhe', 'points', 30)
  await give('azhe', 'cny', 1_000)
  const author = await site.visit({ as: 'laochen', language: 'zh' })
  const address = await write(author)
  await author.page.goto(address)
  for (const secret of secrets) await author.page.getByText(secret).waitFor()

  const visitor = await site.visit({ language: 'en', width: 'phone', theme: 'dark' })
  await visitor.page.goto(address)
  await expect.poll(() => parts(visitor.page).count()).toBe(5)
  await visitor.page.getByText(en('hiddenPart.title', { lock: 'points', amount: 20 })).waitFor()
  for (const secret of secrets) expect(await (await visitor.page.request.get(address)).text()).not.toContain(secret)
  await parts(visitor.page)
    .first()
    .getByRole('link', { name: en('account.logIn') })
    .waitFor()
  await screenshot(visitor.page, 'hidden-visitor-phone')
  expect(await accessibilityViolations(visitor.page)).toEqual([])
  await visitor.page.goto('/index?sort=new')
  await visitor.page.getByRole('link', { name: titled }).waitFor()
  await screenshot(visitor.page, 'hidden-list-phone')

  const member = await site.visit({ as: 'azhe', language: 'zh' })
  await member.page.goto(address)
  await open(member, address)
  await author.page.goto('/user/control/topicUnhideList')
  await author.page.getByText(zh('hiddenPart.earnedInAll', { sum: `20 积分、¥9.90` })).waitFor()
  await screenshot(author.page, 'unlocks-of-mine')
  expect(await accessibilityViolations(author.page)).toEqual([])
  for (const walk of [author, visitor, member]) {
    // The browser also reports the wrong password, and the required re-authentication.
    expect(walk.complaints.filter((complaint) => !/\/api\/hiddenPart\/(unlock|buy)$/.test(complaint))).toEqual([])
    await walk.context.close()
  }
})

test('staff with the right read hidden parts with kind and price, in an edit in review too; others see their number', async () => {
  const topicId = await site.topic(titled)
  const { there, takenOut } = { there: 5, takenOut: 0 }
  const helper = await visitAsStaff(site, { language: 'en', width: 'phone', rights: ['content.view'] })
  await helper.page.goto(`/admin/topic/view?topicId=${topicId}`)
  await helper.page.getByText(`${en('hiddenPartAdmin.hides', { there, takenOut })}. ${en('hiddenPartAdmin.notYours')}`).waitFor()
  await screenshot(helper.page, 'hidden-staff-without')
  expect(await accessibilityViolations(helper.page)).toEqual([])
  expect(await helper.page.getByText(byPoints).count()).toBe(0)

  await readAsStaff(site, topicId, look)

  await site.change('reviewTopics', 'everybody')
  const author = await site.visit({ as: 'laochen', language: 'zh' })
  await author.page.goto(`/user/editTopic?topicId=${topicId}`)
  await author.page.getByText(byPoints).click()
  await author.page.keyboard.press('End')
  await author.page.keyboard.type('，新的')
  await author.page.getByRole('button', { name: zh('topic.save'), exact: true }).click()
  await author.page.getByText(zh('topic.waits')).waitFor()
  await site.change('reviewTopics', 'nobody')
  const { page } = await visitAsStaff(site, { language: 'zh' })
  await page.goto('/admin/review')
  await page.getByText(zh('hiddenPartAdmin.hides', { there, takenOut })).click()
  await page.getByText(`${byPoints}，新的`).waitFor()
  await screenshot(page, 'hidden-review')
  expect(await accessibilityViolations(page)).toEqual([])
})

wrongParts(site, [look])

test('staff refund a purchase, and its buyer and author are notified', async () => {
  const topicId = await site.topic(titled)
  const { page, complaints } = await visitAsStaff(site, { language: 'zh' })
  await page.goto(`/admin/topic/view?topicId=${topicId}`)
  const list = page.getByRole('region', { name: zh('hiddenPartAdmin.unlockedBy', { count: 3 }) })
  await list.getByText(zh('hiddenPartAdmin.paid', { paid: '20 积分', earned: '20 积分' })).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await list
    .getByRole('button', { name: zh('hiddenPartAdmin.refundOf', { name: '阿哲' }) })
    .last()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(zh('hiddenPartAdmin.reason')).fill('里面是空的')
  await screenshot(page, 'refund-dialog')
  await dialog.getByRole('button', { name: zh('hiddenPartAdmin.refund'), exact: true }).click()
  await list.getByText(zh('hiddenPartAdmin.refunded')).waitFor()
  await screenshot(page, 'refund-done')
  expect(await accessibilityViolations(page)).toEqual([])
  expect(complaints).toEqual([])

  const member = await site.visit({ as: 'azhe', language: 'zh' })
  await member.page.goto('/user/control/systemNotifyList')
  const sum = { way: 'in', currency: 'points', count: 20, amount: '' }
  await member.page.getByText(zh('notification.accountRefunded', sum)).waitFor()
  await member.page.getByText('里面是空的').waitFor()
  await screenshot(member.page, 'refund-notice')
  expect(await accessibilityViolations(member.page)).toEqual([])
  await member.page.goto(`/thread?topicId=${topicId}`)
  await part(member.page, 3)
    .getByRole('button', { name: zh('hiddenPart.unlockFor', { lock: 'points', amount: 20 }) })
    .waitFor()
})

test('a refund above the limit of one waits, and another member of staff approves it', async () => {
  const topicId = await site.topic(titled)
  await site.change('dailyApprovalThresholdYuan', 0)
  const { page, complaints } = await visitAsStaff(site, { language: 'zh' })
  await page.goto(`/admin/topic/view?topicId=${topicId}`)
  await page
    .getByRole('button', { name: zh('hiddenPartAdmin.refundOf', { name: '阿哲' }) })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(zh('hiddenPartAdmin.reason')).fill('里面是空的')
  await dialog.getByRole('button', { name: zh('hiddenPartAdmin.refund'), exact: true }).click()
  await page.getByText(zh('walletAdmin.asked')).waitFor()
  await page.getByText(zh('hiddenPartAdmin.refundWaits')).waitFor()
  await screenshot(page, 'refund-waits')

  const other = await visitAsStaff(site, { language: 'en', width: 'phone', theme: 'dark', rights: ['wallet.view', 'wallet.reverse'] })
  await other.page.goto('/admin/money-request?state=waiting')
  await other.page.getByText(en('walletAdmin.doesrefund', { name: '阿哲' })).waitFor()
  expect(await accessibilityViolations(other.page)).toEqual([])
  await screenshot(other.page, 'refund-to-agree-phone')
  await other.page.getByRole('button', { name: en('walletAdmin.approve') }).click()
  await other.page
    .getByRole('dialog')
    .getByRole('button', { name: en('walletAdmin.approve') })
    .click()
  await other.page.getByText(en('walletAdmin.executed')).waitFor()
  await page.reload()
  await expect.poll(() => page.getByText(zh('hiddenPartAdmin.refunded'), { exact: true }).count()).toBe(2)
  expect([...complaints, ...other.complaints]).toEqual([])
})

const parts = (page: Page) => page.locator('article').first().locator('section[id^="part-"]')
const part = (page: Page, at: number) => parts(page).nth(at)

async function write({ page }: BrowserVisit): Promise<string> {
  await page.goto('/addTopic')
  await chooseTag(page, zh('tag.tag'))
  await page.getByRole('textbox', { name: zh('topic.title') }).fill(titled)
  await page.getByRole('textbox', { name: zh('topic.body') }).click()
  await page.keyboard.type('先说能看的。')
  const heads = page.getByRole('group', { name: zh('editor.hidden') })
  for (const [at, secret] of secrets.entries()) {
    await page.getByRole('button', { name: zh('editor.hidden') }).click()
    await page.keyboard.type(secret)
    const head = heads.nth(at)
    await head
      .getByRole('combobox', { name: zh('editor.hiddenUntil') })
      .selectOption(['password', 'comment', 'level', 'points', 'balance'][at] ?? '')
    if (at === 0) await head.getByRole('textbox', { name: zh('editor.partPassword') }).fill('longjing')
    if (at === 2) await head.getByRole('combobox', { name: zh('editor.partLevel') }).selectOption(String(highest?.needs_points))
    if (at === 3) await head.getByRole('textbox', { name: zh('editor.partPoints') }).fill('20')
    if (at === 4) await head.getByRole('textbox', { name: zh('editor.partBalance') }).fill('9.9')
    await page
      .getByRole('textbox', { name: zh('topic.body') })
      .locator('p')
      .last()
      .click()
    await page.keyboard.type(`第 ${at + 1} 道门。`)
  }
  await page.getByText(zh('writing.hidingTitle')).click()
  // The tools must not cover the content under test.
  await page.evaluate('scrollTo(0, 0)')
  await screenshot(page, 'hidden-editor')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: zh('topic.publish'), exact: true }).click()
  await page.getByRole('link', { name: zh('topic.goNow') }).click()
  await page.waitForURL((url) => url.pathname === '/thread')
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

async function open({ page }: BrowserVisit, address: string): Promise<void> {
  const password = part(page, 0)
  await password.getByLabel(zh('hiddenPart.password'), { exact: true }).waitFor()
  await screenshot(page, 'hidden-member')
  expect(await accessibilityViolations(page)).toEqual([])
  await password.getByLabel(zh('hiddenPart.password'), { exact: true }).fill('wrong')
  await password.getByRole('button', { name: zh('hiddenPart.unlock'), exact: true }).click()
  await password.getByText(zh('hiddenPart.wrongPassword')).waitFor()
  await password.getByLabel(zh('hiddenPart.password'), { exact: true }).fill('longjing')
  await password.getByRole('button', { name: zh('hiddenPart.unlock'), exact: true }).click()
  await password.getByText(byPassword).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe(await password.getAttribute('id'))

  for (const [at, lock, amount, secret] of [
    [3, 'points', 20, byPoints],
    [4, 'balance', '¥9.90', byBalance],
  ] as const) {
    await part(page, at)
      .getByRole('button', { name: zh('hiddenPart.unlockFor', { lock, amount }) })
      .click()
    if (lock === 'balance') await requireReauthentication(site, 'azhe')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: zh('hiddenPart.pay'), exact: true })
      .click()
    // A purchase with money requires re-authentication, and then the part opens by itself.
    if (lock === 'balance') await reauthenticate(page, zh, () => screenshot(page, 'hidden-prove'))
    await part(page, at).getByText(secret).waitFor()
  }

  await part(page, 1)
    .getByRole('button', { name: zh('hiddenPart.writeComment') })
    .click()
  await page.locator('[data-composer] [contenteditable="true"]:focus').waitFor()
  await page.keyboard.type('我来了。')
  await page.getByRole('button', { name: zh('comment.post'), exact: true }).click()
  await part(page, 1).getByText(byComment).waitFor()

  await part(page, 2).getByRole('progressbar').waitFor()
  await give('azhe', 'points', Number(highest?.needs_points))
  await page.goto(address)
  await part(page, 2).getByText(byLevel).waitFor()
  await screenshot(page, 'hidden-opened')
  expect(await accessibilityViolations(page)).toEqual([])

  await choose(page.locator('li[id^="comment-"]').filter({ hasText: '我来了。' }), zh('comment.remove'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: zh('comment.remove'), exact: true })
    .click()
  await expect.poll(() => part(page, 1).getByText(byComment).count()).toBe(0)

  await page.goto('/user/control/topicUnhideList?view=unlocked')
  await page.locator('summary').first().click()
  await page.getByText(byBalance).waitFor()
  await screenshot(page, 'unlocks-by-me')
}
