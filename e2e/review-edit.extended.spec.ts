import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { plain } from '#file/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { nextFrame, untilIdle } from './idle.ts'
import { builtForum } from './site.ts'
import { writeComment } from './write-comment.ts'
import { chooseTag } from './choose-tag.ts'

const site = await builtForum()
await site.change('reviewTopics', 'everybody')
await site.change('reviewComments', 'everybody')
await site.change('reviewReplies', 'everybody')

async function aPicture(name: string, colour: string) {
  const buffer = await plain({ width: 300, height: 200 }, colour).png().toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

async function writeTopic(title: string): Promise<void> {
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto('/addTopic')
  await chooseTag(page, '标签', '泡茶')
  await page.getByRole('textbox', { name: '标题' }).fill(title)
  await page.getByRole('textbox', { name: '正文' }).click()
  await page.keyboard.type('看看这个。')
  await page.locator('input[type=file][accept]:not([capture])').setInputFiles(await aPicture('one.png', '#c87840'))
  await page.locator('[contenteditable] img[src^="/file/"]').waitFor()
  await page.getByRole('button', { name: '发布' }).click()
  await page.locator('main').getByRole('link', { name: '查看待审核的内容' }).waitFor()
  await context.close()
}

/** The browser closes a dialog one task before the page hears of it: a key between the two would open what is about to close. */
async function untilClosed(page: Page): Promise<void> {
  await expect.poll(() => page.locator('dialog:modal').count()).toBe(0)
  await expect.poll(() => page.locator('dialog [role=textbox]').count()).toBe(0)
}

async function open(page: Page, text: string): Promise<Locator> {
  await page.goto('/admin/review')
  await page.getByRole('list', { name: '审核' }).getByRole('link').filter({ hasText: text }).click()
  await page.getByRole('article').getByText(text).first().waitFor()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: '编辑' })
  await dialog.getByRole('textbox', { name: '正文' }).waitFor()
  return dialog
}

const widths = (pictures: Locator) => pictures.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))

test('a topic in review is edited with the full editor, without the right to view other posts: title, bold, a picture', async () => {
  await writeTopic('山里的一天')
  const { page, context, complaints } = await visitAsStaff(site, { rights: ['content.review', 'content.edit'] })
  const scripts: string[] = []
  page.on('request', (request) => /editor-[\w-]+\.js/.test(request.url()) && scripts.push(request.url()))
  await page.goto('/admin/review')
  await page.getByRole('article').waitFor()
  await untilIdle(page)
  expect(scripts).toEqual([])

  const dialog = await open(page, '山里的一天')
  const text = dialog.getByRole('textbox', { name: '正文' })
  const pictures = dialog.locator('[contenteditable] img[src^="/file/"]')
  await expect.poll(() => widths(pictures)).toEqual([300])
  await dialog.getByRole('textbox', { name: '标题' }).fill('山里的两天')
  // At human speed: an editor receives a selection after the key that made it.
  await text.getByText('看看这个。').click()
  await nextFrame(page)
  for (const key of ['Control+A', 'Control+B', 'Control+End']) {
    await page.keyboard.press(key)
    await nextFrame(page)
  }
  await text.locator('strong').getByText('看看这个。').waitFor()
  // The shortcuts of the queue are text here.
  await page.keyboard.type('ard1j')
  await dialog.locator('input[type=file][accept]:not([capture])').setInputFiles(await aPicture('two.png', '#2f6f4f'))
  await expect.poll(() => widths(pictures)).toEqual([300, 300])
  await screenshot(page, 'queue-edit')
  expect(await accessibilityViolations(page)).toEqual([])
  await text.press('Control+Enter')
  await untilClosed(page)
  const waiting = page.locator('[data-waiting]')
  await waiting.getByRole('heading', { name: '山里的两天' }).waitFor()
  await waiting.locator('strong').getByText('看看这个。').waitFor()
  await waiting.getByText('ard1j').waitFor()
  await expect.poll(() => widths(waiting.locator('img'))).toHaveLength(2)
  await page.keyboard.press('a')
  await page.getByText('没有待审核的内容。').waitFor()

  const visitor = await site.visit()
  await visitor.page.goto(`/thread?topicId=${await site.topic('山里的两天')}`)
  await expect.poll(() => widths(visitor.page.locator('main .prose .picture img'))).toHaveLength(2)
  await visitor.page.locator('main .prose strong').getByText('看看这个。').waitFor()
  expect(complaints).toEqual([])
  await visitor.context.close()
  await context.close()
})

test('another’s edit meanwhile is shown beside the own text, and neither is lost', async () => {
  await writeComment(site, '先看执行计划')
  const [mine, theirs] = [await visitAsStaff(site), await visitAsStaff(site)]
  const dialog = await open(mine.page, '先看执行计划')
  await mine.page.keyboard.press('Control+End')
  await mine.page.keyboard.type('，再建索引')

  const other = await open(theirs.page, '先看执行计划')
  await theirs.page.keyboard.press('Control+End')
  await theirs.page.keyboard.type('，别急')
  await other.getByRole('button', { name: '保存' }).click()
  await theirs.page.locator('[data-waiting]').getByText('先看执行计划，别急').waitFor()

  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByRole('alert').getByText(theirs.account).waitFor()
  await dialog.getByText('先看执行计划，别急').waitFor()
  expect(await dialog.getByRole('textbox', { name: '正文' }).innerText()).toContain('先看执行计划，再建索引')
  await screenshot(mine.page, 'queue-clash')
  expect(await accessibilityViolations(mine.page)).toEqual([])
  await dialog.getByRole('button', { name: '用我写的' }).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await mine.page.locator('[data-waiting]').getByText('先看执行计划，再建索引').waitFor()

  await theirs.page.keyboard.press('a')
  await theirs.page.getByText('作者刚刚修改过，请先查看新的内容。').waitFor()
  await mine.page.keyboard.press('a')
  await mine.page.getByText('没有待审核的内容。').waitFor()
  await theirs.context.close()
  await mine.context.close()
})

test('a change by a tool alone is confirmed before it is left, and is there again', async () => {
  await writeComment(site, '冷泡六小时')
  const { page, context } = await visitAsStaff(site)
  const dialog = await open(page, '冷泡六小时')
  const text = dialog.getByRole('textbox', { name: '正文' })
  await text.press('Control+A')
  await dialog.getByRole('button', { name: '加粗' }).click()
  await dialog.getByRole('button', { name: '关闭' }).click()
  await page.getByRole('button', { name: '离开', exact: true }).click()
  await untilClosed(page)
  expect(await page.locator('[data-waiting] strong').count()).toBe(0)
  await page.keyboard.press('e')
  await text.locator('strong').getByText('冷泡六小时').waitFor()

  // Another decision comes first: this one is refused, and the text stays.
  const other = await visitAsStaff(site)
  await other.page.goto('/admin/review')
  await other.page.getByRole('article').getByText('冷泡六小时').waitFor()
  await other.page.keyboard.press('a')
  await other.page.getByText('没有待审核的内容。').waitFor()
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('这一条已由他人处理。').waitFor()
  await text.locator('strong').getByText('冷泡六小时').waitFor()
  await other.context.close()
  await context.close()
})

test('Escape closes the editor after its own menus, and asks if text is unsaved', async () => {
  await writeComment(site, '盖碗不烫手')
  const { page, context } = await visitAsStaff(site)
  const dialog = await open(page, '盖碗不烫手')
  const text = dialog.getByRole('textbox', { name: '正文' })
  await text.press('Escape')
  await untilClosed(page)

  await page.keyboard.press('e')
  await text.press('Control+End')
  await page.keyboard.type(' @a')
  await dialog.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await page.locator('dialog:modal').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '离开', exact: true }).click()
  await untilClosed(page)
  await page.keyboard.press('a')
  await page.getByRole('list', { name: '审核' }).getByText('盖碗不烫手').waitFor({ state: 'detached' })
  await context.close()
})

test('a reply in review has the tools of a reply, without the hidden ones', async () => {
  await site.change('replyTools', ['link'])
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  await page.locator('li[data-floor] [data-action="reply"]').first().click()
  await page.getByRole('textbox', { name: /^回复/ }).click()
  await page.keyboard.type('回得好')
  await page.getByRole('button', { name: '发表回复' }).click()
  await page.getByText('已提交，审核通过后公开显示。').waitFor()
  await context.close()

  const desk = await visitAsStaff(site, { width: 'phone' })
  const dialog = await open(desk.page, '回得好')
  const tools = dialog.getByRole('toolbar').getByRole('button')
  expect(await tools.evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label')))).toEqual(
    ['链接', '撤销', '重做'],
  )
  await screenshot(desk.page, 'queue-edit-phone')
  expect(await accessibilityViolations(desk.page)).toEqual([])
  await desk.context.close()
})

test('the record of a member links to the decisions about their posts, and their name filters the queue', async () => {
  const azhe = await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  await writeComment(site, '水温八十度')
  await writeComment(site, '水温九十度')
  const { page, context, complaints } = await visitAsStaff(site)
  const queue = page.getByRole('list', { name: '审核' })
  await page.goto('/admin/review')
  await queue.getByRole('link').filter({ hasText: '水温九十度' }).click()
  await page.getByRole('article').getByText('水温九十度').waitFor()
  await page.keyboard.press('a')
  await queue.getByText('水温九十度').waitFor({ state: 'detached' })

  await page.goto(`/admin/member/view?memberId=${azhe.id}&tab=record`)
  await page.getByRole('link', { name: /条被驳回/ }).click()
  await page.getByRole('heading', { level: 1, name: '已处理' }).waitFor()
  expect(new URL(page.url()).searchParams.get('author')).toBe(azhe.id)
  await page
    .getByRole('status')
    .getByText(/^共 \d+ 条$/)
    .waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  await page.goto('/admin/review')
  const author = page.getByRole('combobox', { name: '作者' })
  // Earlier options do not match the text typed now.
  await author.click()
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  const find = async (name: string) => {
    await author.fill(name)
    await author.press('Enter')
    await expect.poll(() => author.getAttribute('aria-expanded')).toBe('false')
    await author.press('Enter')
  }
  await find('azhe')
  await page.waitForURL((url) => url.searchParams.get('author') === azhe.id)
  await queue.getByText('水温八十度').waitFor()
  // Leaving the field before the options arrive still selects the typed name.
  await author.fill('laochen')
  await author.press('Enter')
  await author.press('Tab')
  await expect.poll(() => author.inputValue()).toContain('老陈')
  await author.press('Enter')
  await page.getByText('没有符合条件的内容。').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
