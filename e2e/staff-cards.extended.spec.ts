import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plain } from '#file/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const roleId = await aRole(site.database, ['invite'])

const picture = async () => ({
  name: 'card.png',
  mimeType: 'image/png',
  buffer: await plain({ width: 300, height: 300 }).png().toBuffer(),
})

test('staff put a card with a picture on sale, change its stock, remove it and take that back', async () => {
  const { page, context } = await visitAsStaff(site, { language: 'en' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.locator('dialog[open]')
  await page.goto('/admin/membershipCard/edit')
  await page.getByLabel('Role').selectOption(roleId)
  await page.getByLabel('Chinese name').fill('银卡')
  await page.getByLabel('English name').fill('Silver')
  await page.getByLabel('English highlights').fill('A badge\n\nMore invitations')
  await page.getByRole('textbox', { name: 'English introduction' }).fill('**Good tea**')
  await button('Preview').last().click()
  await dialog.getByText('Good tea').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('input[type=file]').setInputFiles(await picture())
  await page.getByRole('button', { name: 'Use this part' }).press('Enter')
  await button('Remove picture').waitFor()
  await page.getByLabel('On sale').check()
  await button('Save').press('Enter')
  await page.waitForURL(/cardId=/)

  await button('Add an option').press('Enter')
  await dialog.getByLabel('Chinese name').fill('一个月')
  await dialog.getByLabel('English name').fill('A month')
  await dialog.getByLabel('Price in points').fill('0')
  await dialog.getByLabel('In stock').fill('10')
  await dialog.getByLabel('In stock').press('Enter')
  await dialog.getByRole('alert').first().waitFor()
  await dialog.getByLabel('Price in points').fill('50')
  await dialog.getByLabel('Price in points').press('Enter')
  await page.getByRole('cell', { name: '50 points' }).waitFor()
  await screenshot(page, 'staff-card')

  await button('Actions for A month').press('Enter')
  await page.getByRole('menuitem', { name: 'Change stock' }).press('Enter')
  await dialog.getByLabel('Type of change', { exact: true }).selectOption('take')
  await dialog.getByLabel('Units').fill('11')
  await dialog.getByLabel('Units').press('Enter')
  await dialog.getByText('Only 10 units are left.').waitFor()
  await dialog.getByLabel('Units').fill('4')
  await dialog.getByLabel('Units').press('Enter')
  await page.getByRole('cell', { name: '6', exact: true }).waitFor()

  await page.goto('/admin/membershipCard')
  await button('Actions for Silver').press('Enter')
  await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
  await button('Remove').press('Enter')
  await button('Undo').press('Enter')
  await page.getByText('Off sale', { exact: true }).waitFor()
  await context.close()
})

test('staff add a coupon, make codes for it and bring them out as a file', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'zh', width: 'phone' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.locator('dialog[open]')
  await page.goto('/admin/coupon/view')
  await page.getByLabel('名称').fill('春季活动')
  await button('保存').click()
  await page.getByText('请填写折扣比例或减免金额。').waitFor()
  await page.getByLabel('折扣比例（减免 %）').fill('10')
  await page.getByLabel('通用优惠码（选填）').fill('ｓｐｒｉｎｇ')
  await button('保存').click()
  await page.getByText('SPRING', { exact: true }).waitFor()
  await button('批量生成').click()
  await dialog.getByLabel('数量').fill('250')
  await dialog.getByLabel('前缀（选填）').fill('fly-')
  await dialog.getByRole('button', { name: '批量生成' }).click()
  await page.getByText('共 251 条').waitFor()
  const download = page.waitForEvent('download')
  await button('导出 CSV').click()
  const path = await (await download).path()
  const lines = readFileSync(path, 'utf8').trim().split('\r\n')
  expect([lines.length, lines.at(-1)]).toEqual([252, 'SPRING,0,'])
  expect(complaints).toEqual([])
  await context.close()
})
