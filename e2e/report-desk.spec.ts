import { expect, test } from 'vitest'
import { blemishes } from '#base/testing/blemishes.ts'
import { atTheDesk } from './at-the-desk.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'

const site = await aSite()
const topicId = await site.topic('一条 SQL')
const soon = { timeout: 8_000 }

const rights = ['report.view', 'report.decide', 'content.remove'] as const

test('a reported comment is taken away, both sides are told, its author appeals, and another of staff brings it back', async () => {
  const comment = await site.database.app
    .selectFrom('comment')
    .innerJoin('member', 'member.id', 'author_id')
    .select(['comment.id', 'account', 'text'])
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .where('account', '<>', 'laochen')
    .orderBy('floor')
    .executeTakeFirstOrThrow()
  const reporter = await site.visit({ as: 'laochen' })
  await reporter.page.goto(`/thread?topicId=${topicId}`)
  await reporter.page.locator(`#comment-${comment.id}`).getByRole('button', { name: '举报' }).first().click()
  await reporter.page.getByRole('radio', { name: '人身攻击' }).check()
  await reporter.page.getByRole('button', { name: '提交举报' }).click()
  await reporter.page.getByText('谢谢，工作人员会查看').waitFor()

  const first = await atTheDesk(site, { rights })
  await first.page.goto('/admin/report')
  await first.page.getByRole('link', { name: '一条 SQL' }).waitFor()
  await shot(first.page, 'desk-cases')
  await first.page.keyboard.press('j')
  await first.page.keyboard.press('o')
  await first.page.getByRole('button', { name: '我来处理' }).waitFor()
  await first.page.keyboard.press('c')
  await first.page.getByText('由你处理，保留十分钟。').waitFor()
  await first.page.keyboard.press('d')
  expect(await first.page.getByRole('textbox', { name: '给作者的说明' }).inputValue()).toContain('人身攻击')
  // What is typed now is the reason, though s, f and the space would decide something.
  await first.page.keyboard.type('no insults, ')
  await first.page.keyboard.insertText('这里不指责别人。')
  expect(await first.page.getByRole('textbox', { name: '给作者的说明' }).inputValue()).toBe('no insults, 这里不指责别人。')
  expect(await first.page.getByRole('button', { name: '提交处理' }).isVisible()).toBe(true)
  await first.page.getByRole('textbox', { name: '给举报人的答复' }).fill('已经删除，谢谢。')
  await shot(first.page, 'desk-case')
  expect(await blemishes(first.page, { within: 'main' })).toEqual([])
  await first.page.keyboard.press('Control+Enter')
  await first.page.getByText('已处理。').waitFor()
  await first.page.getByText('没有').first().waitFor()

  await reporter.page.goto('/user/control/reportList')
  await reporter.page.getByText('已经删除，谢谢。').waitFor()
  const author = await site.visit({ as: comment.account })
  await author.page.goto('/user/control/reportList?view=removed')
  await author.page.getByText('这里不指责别人。').waitFor()
  await author.page.getByRole('button', { name: '申诉' }).click()
  await author.page.getByRole('textbox', { name: '为什么应当保留？' }).fill('我说的是代码，不是人。')
  await author.page.getByRole('button', { name: '提交申诉' }).click()
  await author.page.getByText('申诉待处理').waitFor()
  await shot(author.page, 'removed-appealed')

  await first.page.goto('/admin/appeal')
  await first.page.getByText('须由其他工作人员处理').waitFor()
  const second = await atTheDesk(site, { rights, language: 'en', theme: 'dark', width: 'phone' })
  await second.page.goto('/admin/appeal')
  await second.page.getByRole('link', { name: '一条 SQL' }).waitFor()
  await shot(second.page, 'desk-appeals-phone')
  await second.page.keyboard.press('o')
  const back = second.page.getByRole('radio', { name: 'Bring it back' })
  await back.waitFor()
  await second.page.keyboard.press('s')
  expect(await back.isChecked()).toBe(true)
  await second.page.getByRole('textbox', { name: 'To the author' }).fill('You are right.')
  await shot(second.page, 'desk-appeal-phone')
  await second.page.getByRole('button', { name: 'Decide', exact: true }).click()
  await second.page.getByText('Answered.').waitFor()

  await author.page.goto('/user/control/reportList?view=removed')
  await author.page.getByText('You are right.').waitFor()
  await author.page.goto(`/thread?topicId=${topicId}&commentId=${comment.id}`)
  await expect.poll(() => author.page.locator(`#comment-${comment.id} article`).first().isVisible(), soon).toBe(true)
  for (const { complaints, context } of [reporter, first, author, second]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('the categories of reports are named in both languages, and a new one is offered at once', async () => {
  const { page, context } = await atTheDesk(site)
  await page.goto('/admin/reportCategory')
  await page.getByText('人身攻击').waitFor()
  await shot(page, 'desk-categories')
  await page.getByRole('button', { name: '添加类别' }).click()
  await page.getByRole('textbox', { name: '中文名' }).fill('剧透')
  await page.getByRole('textbox', { name: '英文名' }).fill('Gives the end away')
  await page.getByRole('combobox', { name: '分组' }).selectOption({ label: '扰乱社区' })
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('Gives the end away').waitFor()
  const member = await site.visit({ as: 'laochen', language: 'en' })
  await member.page.goto(`/thread?topicId=${topicId}`)
  await member.page.getByRole('button', { name: 'Report', exact: true }).first().click()
  await member.page.getByRole('radio', { name: 'Gives the end away' }).waitFor()
  await member.context.close()
  await context.close()
})
