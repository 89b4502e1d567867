import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff } from './staff-visit.ts'
import { requireReauthentication, reauthenticate } from './reauthenticate.ts'
import { screenshot } from './shot.ts'
import { builtForum, type BrowserVisit } from './site.ts'
import { wordsIn } from './words.ts'
import { chooseTag } from './choose-tag.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]
const titled = 'Which kettle for gongfu?'

test('an asker offers a bounty, raises it, splits it between two answers, and every reader sees the shares', async () => {
  const asker = await site.visit({ as: 'laochen', language: 'en' })
  await ask(asker)
  const { page } = asker
  const box = page.getByRole('region', { name: en('bounty.bounty') })
  await box.getByText('Bounty: 30 points and ¥5.00').waitFor()
  await box.getByRole('button', { name: en('bounty.raiseOrProlong') }).click()
  await box.getByRole('textbox', { name: en('bounty.pointsField') }).fill('20')
  const raise = box.locator('form').getByRole('button', { name: en('bounty.raiseNow') })
  await raise.click()
  await box.getByText('A bounty must be between 30 and 10,000 points.').waitFor()
  await box.getByRole('textbox', { name: en('bounty.pointsField') }).fill('40')
  await screenshot(page, 'bounty-raising')
  await raise.click()
  await box.getByText('Bounty: 40 points and ¥5.00').waitFor()
  await box.getByRole('button', { name: en('bounty.raiseOrProlong') }).click()
  await box.getByRole('textbox', { name: en('bounty.cashField') }).fill('6')
  await requireReauthentication(site, 'laochen')
  await raise.click()
  await reauthenticate(page, en)
  await box.getByText('Bounty: 40 points and ¥6.00').waitFor()
  const address = page.url().slice(site.url.length)
  for (const [language, width] of [
    ['zh', 'phone'],
    ['en', 'desktop'],
  ] as const) {
    const words = wordsIn(language)
    const own = await site.visit({ as: 'laochen', language, width })
    for (const [path, amount] of [
      ['point', '40'],
      ['balance', '¥6.00'],
    ] as const) {
      await own.page.goto(`/user/control/${path}`)
      const mine = own.page.getByRole('region', { name: words('wallet.mine') })
      await mine.getByText(words('wallet.heldForBounties', { amount })).waitFor()
      await screenshot(own.page, `held-${path}-${width}`)
      expect(await accessibilityViolations(own.page)).toEqual([])
      await mine.getByRole('link', { name: titled }).click()
      await own.page.waitForURL(`**${address}`)
    }
    await own.context.close()
  }

  for (const [as, text] of [
    ['azhe', '陶壶，六十度以上。'],
    ['linxi_dev', '铁壶，水会软一点。'],
  ] as const) {
    const other = await site.visit({ as, language: 'zh', width: 'phone' })
    await other.page.goto(address)
    await other.page.locator('#thread-bar button').first().click()
    await write(other.page, zh('comment.yours', { of: 'question' }), text)
    await other.page.getByRole('button', { name: zh('comment.post', { of: 'question' }), exact: true }).click()
    await other.page.getByText(text.slice(0, 2)).last().waitFor()
    await screenshot(other.page, `bounty-answered-${as}`)
    expect(other.complaints).toEqual([])
    await other.context.close()
  }

  await page.goto(address)
  await page
    .getByRole('button', { name: en('question.adopt'), exact: true })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(en('question.split')).click()
  await dialog.getByRole('textbox', { name: en('question.partPoints') }).fill('50')
  await dialog.getByRole('button', { name: en('question.adoptAndPayNow') }).click()
  await dialog.getByText(en('bounty.splitWrong')).waitFor()
  await dialog.getByRole('textbox', { name: en('question.partPoints') }).fill('10')
  await screenshot(page, 'bounty-splitting')
  await dialog.getByRole('button', { name: en('question.adoptAndPayNow') }).click()
  await box.getByText('Bounty paid: 40 points and ¥6.00').waitFor()
  await box.getByText('30 points and ¥6.00').waitFor()
  await box.getByText('10 points').waitFor()
  await screenshot(page, 'bounty-paid')
  // Except for the expected errors.
  expect(asker.complaints.filter((one) => !/status of (422|428)/.test(one))).toEqual([])
  await asker.context.close()
})

async function ask({ page }: BrowserVisit): Promise<void> {
  await page.goto('/addQuestion')
  await chooseTag(page, en('tag.tag'))
  await page.getByRole('textbox', { name: en('topic.title') }).fill(titled)
  await write(page, en('topic.body'), 'It should pour well.')
  await page.getByText(en('bounty.add')).click()
  await page.getByRole('textbox', { name: en('bounty.pointsField') }).fill('3000')
  await page.getByRole('textbox', { name: en('bounty.cashField') }).fill('5')
  await page.getByRole('button', { name: en('question.ask'), exact: true }).click()
  await page.getByText(/points short/).waitFor()
  await screenshot(page, 'bounty-asking')
  await page.getByRole('textbox', { name: en('bounty.pointsField') }).fill('30')
  await requireReauthentication(site, 'laochen')
  await page.getByRole('button', { name: en('question.ask'), exact: true }).click()
  await reauthenticate(page, en, () => screenshot(page, 'bounty-prove'))
  await page.getByRole('link', { name: en('topic.goNow') }).click()
  await page.waitForURL((url) => url.pathname === '/question')
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.type(text)
}

test('questions with points and with money have their tabs, and staff see a bounty with its question', async () => {
  const phone = await site.visit({ as: 'moshu', language: 'zh', width: 'phone', theme: 'dark' })
  await phone.page.goto('/askList')
  await phone.page.getByRole('link', { name: zh('bounty.withCash') }).click()
  await phone.page.getByText('悬赏 50 积分 + ¥5.00').waitFor()
  await screenshot(phone.page, 'bounties-phone')
  await phone.page.goto('/addQuestion')
  await phone.page.getByText(zh('bounty.add')).click()
  await phone.page.getByRole('textbox', { name: zh('bounty.pointsField') }).waitFor()
  await screenshot(phone.page, 'bounty-asking-phone')
  const reader = await site.visit({ language: 'en' })
  await reader.page.goto('/askList?bounty=points')
  await reader.page.getByText('Bounty 30 points', { exact: true }).waitFor()
  await screenshot(reader.page, 'bounties')
  for (const { complaints, context } of [phone, reader]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('staff change a bounty, and return it', async () => {
  const questionId = await site.topic('Where do passwords belong')
  const { page, complaints, context } = await visitAsStaff(site, { language: 'en' })
  await page.goto(`/admin/topic/view?topicId=${questionId}`)
  const box = page.getByRole('region', { name: en('bountyAdmin.bounty') })
  await box.getByText('Bounty: 30 points').waitFor()
  await screenshot(page, 'bounty-staff')
  await change('20')
  await box.getByText('Bounty: 20 points').waitFor()
  await change('')
  await box.getByText(en('bountyAdmin.returned')).waitFor()
  expect(complaints).toEqual([])
  await context.close()

  async function change(points: string): Promise<void> {
    await box.getByRole('button', { name: en('bountyAdmin.change') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: en('bountyAdmin.pointsField') }).fill(points)
    await dialog.getByRole('textbox', { name: en('bountyAdmin.reason') }).fill('It was a slip of the pen')
    await screenshot(page, 'bounty-staff-change')
    await dialog.getByRole('button', { name: en('bountyAdmin.change') }).click()
  }
})
