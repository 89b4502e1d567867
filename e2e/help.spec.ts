import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { atTheDesk } from './at-the-desk.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'

const site = await aSite()
const soon = { timeout: 8_000 }

async function blemishes(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('main').analyze()
  return violations.map(({ id }) => id)
}

test('staff write a help page, which visitors find by its title and read in their language', async () => {
  const desk = await atTheDesk(site)
  const { page } = desk
  await page.goto('/admin/help')
  await page.getByRole('button', { name: '添加分类' }).click()
  await page.getByRole('textbox', { name: '中文名' }).fill('新手上路')
  await page.getByRole('textbox', { name: '英文名' }).fill('First steps')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('link', { name: '添加页面' }).click()
  await page.getByRole('textbox', { name: '中文标题' }).fill('怎样发表第一个话题')
  await page.getByRole('textbox', { name: '英文标题' }).fill('How to post your first topic')
  await page.getByRole('textbox', { name: '中文正文' }).fill('## 先选标签\n\n然后点**发表**。')
  await page.getByRole('textbox', { name: '英文正文' }).fill('## Choose a tag\n\nThen press **Post**.')
  await page.getByRole('button', { name: '预览' }).first().click()
  await page.getByRole('dialog').getByRole('heading', { name: '先选标签' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).first().click()
  await shot(page, 'desk-help-edit')
  expect(await blemishes(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('link', { name: '怎样发表第一个话题' }).waitFor()
  await shot(page, 'desk-help')

  const visitor = await site.visit({ language: 'en', width: 'phone', theme: 'dark' })
  await visitor.page.goto('/help')
  await visitor.page.getByRole('searchbox').fill('nothing like it')
  await visitor.page.getByText('No title has that.').waitFor()
  await visitor.page.getByRole('searchbox').fill('FIRST')
  await shot(visitor.page, 'help-phone')
  await visitor.page.getByRole('link', { name: 'How to post your first topic' }).click()
  await visitor.page.getByRole('heading', { name: 'Choose a tag' }).waitFor()
  await shot(visitor.page, 'help-detail-phone')
  expect(await blemishes(visitor.page)).toEqual([])
  const plain = await site.visit({ javaScript: false })
  await plain.page.goto('/help')
  await plain.page.getByRole('link', { name: '怎样发表第一个话题' }).click()
  await plain.page.getByRole('heading', { name: '先选标签' }).waitFor()
  for (const { complaints, context } of [desk, visitor, plain]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('new terms ask members once after they come, and when they agreed is counted', async () => {
  const desk = await atTheDesk(site)
  await desk.page.goto('/admin/terms')
  await desk.page.getByRole('checkbox', { name: '请会员重新同意' }).check()
  await desk.page.getByRole('button', { name: '发布这个版本' }).click()
  await desk.page.getByText('已发布。').waitFor()
  await shot(desk.page, 'desk-terms')
  const { page, context } = await site.visit({ as: 'laochen' })
  await page.goto('/index')
  const asked = page.getByRole('dialog', { name: '服务条款有更新' })
  await asked.waitFor()
  await shot(page, 'terms-asked')
  await asked.getByRole('button', { name: '同意', exact: true }).click()
  await page.getByText('已记录你的同意').waitFor()
  await page.reload()
  await expect.poll(() => asked.count(), soon).toBe(0)
  await desk.page.reload()
  await desk.page.getByRole('cell', { name: '1', exact: true }).waitFor()
  await context.close()
  await desk.context.close()
})

test('a visitor gives feedback, staff see to it, and friends stand at the foot of the index', async () => {
  await site.change('feedbackCaptcha', false)
  const visitor = await site.visit()
  await visitor.page.goto('/index')
  await visitor.page.getByRole('link', { name: '反馈', exact: true }).click()
  await visitor.page.getByRole('textbox', { name: '称呼' }).fill('小青')
  await visitor.page.getByRole('textbox', { name: '联系方式' }).fill('qing@example.org')
  await visitor.page.getByRole('textbox', { name: '想说什么？' }).fill('夜间模式很好看。')
  await shot(visitor.page, 'feedback')
  await visitor.page.getByRole('button', { name: '提交' }).click()
  await visitor.page.getByText('谢谢，工作人员会看到。').waitFor()

  const { page, context } = await atTheDesk(site)
  await page.goto('/admin/feedback')
  await page.getByText('夜间模式很好看。').waitFor()
  await shot(page, 'desk-feedback')
  await page.getByRole('button', { name: '处理', exact: true }).click()
  await page.getByRole('textbox', { name: '内部备注' }).fill('已回信。')
  await page.getByRole('button', { name: '保存' }).click()
  await expect.poll(() => page.getByText('夜间模式很好看。').count(), soon).toBe(0)
  await page.goto('/admin/link')
  await page.getByRole('button', { name: '添加链接' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('山水论坛')
  await page.getByRole('textbox', { name: '网址' }).fill('https://shanshui.example')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('cell', { name: '山水论坛', exact: true }).waitFor()
  await shot(page, 'desk-links')
  await visitor.page.goto('/index')
  await visitor.page.getByRole('link', { name: '山水论坛' }).waitFor()
  await visitor.page.getByRole('link', { name: '山水论坛' }).scrollIntoViewIfNeeded()
  await shot(visitor.page, 'index-links')
  await context.close()
  await visitor.context.close()
})
