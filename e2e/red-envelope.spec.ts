import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { blemishes } from '#base/testing/blemishes.ts'
import { atTheDesk } from './at-the-desk.ts'
import { mustProve, proves } from './prove.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('one gives a red envelope with a topic, another opens it on a phone, and both see who got what', async () => {
  const giver = await site.visit({ as: 'laochen', language: 'zh' })
  const { page } = giver
  await page.goto('/addTopic')
  await page.getByRole('combobox', { name: zh('tag.tag') }).selectOption({ index: 2 })
  await page.getByRole('textbox', { name: zh('topic.title') }).fill('新茶到了，请大家喝')
  await page.getByRole('textbox', { name: zh('topic.body') }).click()
  await page.keyboard.type('今年的春茶。')
  await page.getByRole('combobox', { name: zh('redEnvelope.kindField') }).selectOption('random')
  await page.getByRole('textbox', { name: zh('redEnvelope.pointsField') }).fill('90000')
  await page.getByText(zh('redEnvelope.tooMuch')).waitFor()
  await page.getByRole('button', { name: zh('topic.publish'), exact: true }).click()
  await page.locator('[name="envelopePoints"][aria-invalid="true"]').waitFor()
  await page.getByRole('textbox', { name: zh('redEnvelope.pointsField') }).fill('20')
  await page.getByRole('spinbutton', { name: zh('redEnvelope.quantityField') }).fill('2')
  await page.getByRole('textbox', { name: zh('redEnvelope.greetingField') }).fill('春茶到了，见者有份')
  await page.getByText(zh('redEnvelope.coverTea')).click()
  await shot(page, 'envelope-giving')
  await page.reload()
  await page.getByRole('textbox', { name: zh('redEnvelope.greetingField') }).waitFor()
  expect(await page.locator('[name="envelopeGreeting"]').inputValue()).toBe('春茶到了，见者有份')
  await page.getByRole('button', { name: zh('topic.publish'), exact: true }).click()
  await page.getByRole('link', { name: zh('topic.goNow') }).click()
  await page.waitForURL((url) => url.pathname === '/thread')
  const address = page.url().slice(site.url.length)
  const own = page.getByRole('region', { name: zh('redEnvelope.from', { name: '老陈泡茶' }) })
  await own.getByText(zh('redEnvelope.yours')).waitFor()
  await own.getByText('已领 0/2').waitFor()
  await shot(page, 'envelope-own')

  const opener = await site.visit({ as: 'azhe', language: 'en', width: 'phone' })
  await opener.page.goto('/index')
  await opener.page.locator('article', { hasText: '新茶到了' }).getByText(en('redEnvelope.mark')).waitFor({ state: 'attached' })
  await shot(opener.page, 'envelope-mark')
  await opener.page.goto(address)
  const card = opener.page.getByRole('region', { name: en('redEnvelope.from', { name: '老陈泡茶' }) })
  await shot(opener.page, 'envelope-closed-phone')
  await card.getByRole('button', { name: en('redEnvelope.openIt') }).click()
  await card.getByText(en('redEnvelope.got')).waitFor()
  await card.getByText('1 of 2 opened').waitFor()
  await card.getByRole('button', { name: en('redEnvelope.openers') }).click()
  await card.getByRole('listitem').getByText('阿哲').waitFor()
  await shot(opener.page, 'envelope-opened-phone')
  expect(await blemishes(opener.page)).toEqual([])

  // The giver's card hears of it by itself.
  await own.getByText('已领 1/2').waitFor()
  await own.getByRole('button', { name: zh('redEnvelope.openers') }).click()
  await own.getByRole('listitem').getByText('阿哲').waitFor()
  await shot(page, 'envelope-own-opened')

  await lists(page, opener.page)
  for (const { complaints, context } of [giver, opener]) {
    expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([])
    await context.close()
  }
})

async function lists(giver: Page, opener: Page): Promise<void> {
  await giver.goto('/user/control/giveRedEnvelopeList')
  await giver.getByText('1/2，共').waitFor()
  await shot(giver, 'envelopes-given')
  await giver.getByRole('link', { name: zh('redEnvelope.openers') }).click()
  await giver.waitForURL('**/redEnvelopeAmountDistributionList?**')
  await giver.getByRole('listitem').getByText('阿哲').waitFor()
  await shot(giver, 'envelope-distribution')
  await opener.goto('/user/control/receiveRedEnvelopeList')
  await opener.getByRole('listitem').getByText('老陈').waitFor()
  await shot(opener, 'envelopes-received-phone')
}

test('a visitor sees the envelope, and comes back to it from the login', async () => {
  const topicId = await site.topic('新茶到了')
  const visitor = await site.visit({ language: 'en', theme: 'dark' })
  await visitor.page.goto(`/thread?topicId=${topicId}`)
  const card = visitor.page.getByRole('region', { name: en('redEnvelope.from', { name: '老陈泡茶' }) })
  await shot(visitor.page, 'envelope-visitor-dark')
  await card.getByRole('link', { name: en('redEnvelope.loginToOpen') }).click()
  await visitor.page.waitForURL((url) => url.pathname === '/login' && url.searchParams.has('jumpUrl'))
  expect(visitor.complaints).toEqual([])
  await visitor.context.close()
})

test('a member gives one to another from their page, who is told and opens it', async () => {
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  const giver = await site.visit({ as: 'laochen', language: 'en', theme: 'dark' })
  await giver.page.goto(`/user/control/home?userId=${id}`)
  await giver.page.getByRole('link', { name: en('redEnvelope.give') }).click()
  await giver.page.getByRole('textbox', { name: en('redEnvelope.pointsOne') }).fill('8')
  await shot(giver.page, 'envelope-to-one')
  await giver.page.getByRole('button', { name: en('redEnvelope.giveNow') }).click()
  await giver.page.getByText(en('redEnvelope.gave')).waitFor()
  const opener = await site.visit({ as: 'azhe', language: 'zh', width: 'phone', theme: 'dark' })
  await opener.page.goto('/user/control/systemNotifyList')
  await opener.page
    .getByRole('link', { name: zh('notice.toEnvelope') })
    .first()
    .click()
  await opener.page.getByRole('button', { name: zh('redEnvelope.openIt') }).click()
  await opener.page.getByRole('region').getByText('8 积分').first().waitFor()
  await shot(opener.page, 'envelope-targeted-dark')
  for (const { complaints, context } of [giver, opener]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('money in equal shares comes with a question from a phone, once its asker has shown who they are', async () => {
  const { page, complaints, context } = await site.visit({ as: 'laochen', language: 'en', width: 'phone' })
  await page.goto('/addQuestion')
  await page.getByRole('combobox', { name: en('tag.tag') }).selectOption({ index: 2 })
  await page.getByRole('textbox', { name: en('topic.title') }).fill('Which kettle for green tea?')
  await page.getByRole('textbox', { name: en('topic.body') }).click()
  await page.keyboard.type('It should pour well.')
  await page.getByRole('combobox', { name: en('redEnvelope.kindField') }).selectOption('fixed')
  await page.getByRole('combobox', { name: en('redEnvelope.currencyField') }).selectOption('cny')
  await page.getByRole('textbox', { name: en('redEnvelope.cashEach') }).fill('0.10')
  await page.getByRole('spinbutton', { name: en('redEnvelope.quantityField') }).fill('3')
  await page.getByText('¥0.30 in all.').waitFor()
  await page.getByText(en('redEnvelope.conditions')).click()
  await page.getByRole('checkbox', { name: en('redEnvelope.onlyCommented') }).check()
  await shot(page, 'envelope-question-phone')
  await mustProve(site, 'laochen')
  await page.getByRole('button', { name: en('question.ask'), exact: true }).click()
  await proves(page, en)
  await page.getByRole('link', { name: en('topic.goNow') }).click()
  const address = (await page.waitForURL((url) => url.pathname === '/question'), page.url())
  const reader = await site.visit({ as: 'azhe', language: 'zh', theme: 'dark' })
  await reader.page.goto(address)
  await reader.page.getByRole('button', { name: zh('redEnvelope.openIt') }).click()
  await reader.page.getByRole('alert').getByText(zh('redEnvelope.needsComment')).waitFor()
  await shot(reader.page, 'envelope-refused-dark')
  expect(reader.complaints.filter((one) => !/status of 422/.test(one))).toEqual([])
  expect(complaints.filter((one) => !/status of 428/.test(one))).toEqual([])
  await reader.context.close()
  await context.close()
})

test('staff look at one that is open, and stop it', async () => {
  const topicId = await site.topic('新茶到了')
  const { page, complaints, context } = await atTheDesk(site, { language: 'zh' })
  await page.goto(`/admin/redEnvelope?topic=${topicId}`)
  await page.getByRole('row').getByRole('link', { name: '新茶到了' }).waitFor()
  await shot(page, 'envelopes-staff')
  await page.getByRole('row').getByRole('link', { name: /^\d+$/ }).click()
  await page.getByRole('listitem').getByText('阿哲').waitFor()
  await page.getByRole('button', { name: zh('redEnvelopeAdmin.stop'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: zh('redEnvelopeAdmin.reason') }).fill('发错了地方')
  await shot(page, 'envelope-staff-stop')
  await dialog.getByRole('button', { name: zh('redEnvelopeAdmin.stop'), exact: true }).click()
  await page.getByText(zh('redEnvelopeAdmin.endStopped')).waitFor()
  await shot(page, 'envelope-staff')
  expect(complaints).toEqual([])
  await context.close()
})
