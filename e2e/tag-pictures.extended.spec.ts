import { expect, test } from 'vitest'
import { plain } from '#file/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()

const picture = async () => ({
  name: 'shelf.png',
  mimeType: 'image/png',
  buffer: await plain({ width: 300, height: 200 }).png().toBuffer(),
})

test('staff give a tag a picture by keyboard, every reader sees it beside its name, and staff remove it', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'en' })
  const reader = await site.visit({ language: 'en' })
  const inList = page.getByRole('row', { name: /Reading/ }).locator('img')
  const inRail = reader.page.getByRole('navigation', { name: 'All topics' }).getByRole('link', { name: /^Reading/ })
  const edit = async () => {
    await page.getByRole('button', { name: 'Actions for Reading' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
  }
  await page.goto('/admin/tag')
  await edit()
  const form = page.getByRole('dialog', { name: 'Edit “Reading”' })
  const choose = form.getByRole('button', { name: 'Choose a picture' })
  const chooser = page.waitForEvent('filechooser')
  await choose.focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(await picture())
  const crop = page.getByRole('dialog', { name: 'Choose a picture' })
  await crop.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
  await screenshot(page, 'tag-crop')
  await page.keyboard.press('Escape')
  await crop.waitFor({ state: 'detached' })
  await expect.poll(() => choose.evaluate((one) => one === document.activeElement)).toBe(true)

  await page.locator('input[type=file]').setInputFiles(await picture())
  await crop.getByRole('button', { name: 'Use this part' }).press('Enter')
  await crop.waitFor({ state: 'detached' })
  const another = form.getByRole('button', { name: 'Change' })
  await expect.poll(() => another.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await screenshot(page, 'tag-form')
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await inList.waitFor()

  await reader.page.goto('/index')
  await expect
    .poll(() => inRail.locator('img').evaluate((one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth))
    .toBe(96)
  expect(await inRail.locator('img').evaluate((one) => [one.getAttribute('alt'), one.clientWidth, one.clientHeight])).toEqual(['', 20, 20])

  await inRail.click()
  const heading = reader.page.getByRole('heading', { level: 1, name: 'Reading' })
  await expect
    .poll(() =>
      heading
        .locator('xpath=ancestor::header')
        .locator('img')
        .evaluate((one) => one.clientWidth),
    )
    .toBe(48)

  await edit()
  await form.getByRole('button', { name: 'Remove picture' }).press('Enter')
  await expect.poll(() => choose.evaluate((one) => one === document.activeElement)).toBe(true)
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await form.waitFor({ state: 'detached' })
  await inList.waitFor({ state: 'detached' })
  await reader.page.goto('/index')
  await inRail.waitFor()
  expect(await inRail.locator('img').count()).toBe(0)
  expect([...complaints, ...reader.complaints]).toEqual([])
  for (const one of [context, reader.context]) await one.close()
})

test('an added tag is announced, and the focus continues from it', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'en', width: 'phone' })
  await page.goto('/admin/tag')
  await page.getByRole('button', { name: 'Add a tag' }).click()
  const form = page.getByRole('dialog', { name: 'Add a tag' })
  await form.getByRole('textbox', { name: 'Chinese name' }).fill('器物')
  await form.getByRole('textbox', { name: 'English name' }).fill('Vessels')
  await form.getByRole('textbox', { name: 'Short name' }).fill('vessels')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Tag added.').waitFor()
  const actions = page.getByRole('button', { name: 'Actions for Vessels' })
  await expect.poll(() => actions.evaluate((one) => one === document.activeElement)).toBe(true)
  const { top, bottom } = await actions.evaluate((one) => one.getBoundingClientRect())
  expect(top).toBeGreaterThan(0)
  expect(bottom).toBeLessThan(844)
  expect(complaints).toEqual([])
  await context.close()
})

test('a picture changed by another meanwhile stays, if the own form does not change it', async () => {
  const [mine, theirs] = [await visitAsStaff(site, { language: 'en' }), await visitAsStaff(site, { language: 'en' })]
  const formOf = async ({ page }: typeof mine) => {
    await page.goto('/admin/tag')
    await page.getByRole('button', { name: 'Actions for Ideas and reports' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    return page.getByRole('dialog', { name: 'Edit “Ideas and reports”' })
  }
  const [form, other] = [await formOf(mine), await formOf(theirs)]
  await theirs.page.locator('input[type=file]').setInputFiles(await picture())
  await theirs.page.getByRole('button', { name: 'Use this part' }).click()
  await other.getByRole('button', { name: 'Change' }).waitFor()
  await other.getByRole('button', { name: 'Save' }).click()
  await other.waitFor({ state: 'detached' })

  await form.getByRole('textbox', { name: 'English description' }).fill('Tell us')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Continue with mine' }).click()
  await form.getByRole('button', { name: 'Change' }).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const row = mine.page.getByRole('row', { name: /Ideas and reports/ })
  await row.getByText('Tell us').waitFor()
  expect(await row.locator('img').count()).toBe(1)
  for (const { context } of [mine, theirs]) await context.close()
})
