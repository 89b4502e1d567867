import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { says } from '#writing/testing/factories.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const db = site.database.app
const { id: mine } = await db.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
const topic = await db.selectFrom('topic').select('id').where('author_id', '=', mine).executeTakeFirstOrThrow()
const comment = await db.selectFrom('comment').select('id').where('author_id', '=', mine).orderBy('id').executeTakeFirstOrThrow()
const reply = await db.selectFrom('reply').select('id').where('author_id', '=', mine).orderBy('id').executeTakeFirstOrThrow()
const another = await db
  .selectFrom('reply')
  .select(['id', 'comment_id', 'topic_id'])
  .where('author_id', '<>', mine)
  .orderBy('id', 'desc')
  .executeTakeFirstOrThrow()

const places = [
  'topic',
  `edit topic ${topic.id}`,
  `comment ${another.topic_id}`,
  `reply ${another.comment_id}`,
  `reply ${another.comment_id} ${another.id}`,
  `edit comment ${comment.id}`,
  `edit reply ${reply.id}`,
]
const textFor = (place: string) => `写到一半：${place}。`

test.each(['pages', 'scroll'] as const)(
  'going on with a draft opens its form, text and cursor in it, read by %s',
  async (flow) => {
    await keep(places)
    const { page, context } = await site.visit({ as: 'azhe', storage: { reading: JSON.stringify({ flow, shape: 'flat' }) } })
    await page.goto('/user/control/draftList')
    const links = places.map((place) =>
      page
        .locator('li')
        .filter({ hasText: textFor(place) })
        .getByRole('link', { name: '继续写' })
        .first(),
    )
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
    for (const [at, place] of places.entries()) {
      await links[at]?.click()
      await expect.poll(() => focused(page), { message: `${place} inside the app` }).toBe(textFor(place))
      expect(await isInView(page), place).toBe(true)
      await page.goBack()
    }
    for (const [at, place] of places.entries()) {
      await page.goto('about:blank')
      await page.goto(addresses[at] ?? '')
      await expect.poll(() => focused(page), { message: `${place} by its address` }).toBe(textFor(place))
    }
    await context.close()
  },
  90_000,
)

test('a session that ends while writing takes nothing away, and the login leads back to the text', async () => {
  await keep([])
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(`/thread?topicId=${another.topic_id}`)
  const field = page.getByRole('textbox', { name: '你的评论' })
  await field.click()
  await page.keyboard.type('还没结束，')
  await page.getByText('草稿已保存。').waitFor()
  await page.evaluate(() => localStorage.setItem('bbsToken', JSON.stringify({ accessToken: 'x'.repeat(43), refreshToken: 'y'.repeat(43) })))
  const notice = page.getByRole('status').filter({ hasText: '登录已过期，内容已保存在本机。' })
  let typed = ''
  for (let n = 0; n < 25; n++) {
    await page.keyboard.type(`字${n}`)
    typed += `字${n}`
    // The session expires in the middle.
    if (n === 10) await notice.waitFor()
  }
  expect(await focused(page)).toBe(`还没结束，${typed}`)
  expect(page.url()).toContain('/thread')

  const fresh = await tokens()
  await notice.getByRole('link', { name: '重新登录' }).click()
  await page.waitForURL(/\/login\?/)
  const back = decodeReturnPath(new URL(page.url()).searchParams.get('jumpUrl'))
  await page.evaluate((pair) => localStorage.setItem('bbsToken', pair), fresh)
  await page.goto(back)
  await expect.poll(() => focused(page)).toBe(`还没结束，${typed}`)
  await page.getByText('草稿已保存。').waitFor()
  await context.close()
})

test('a session that ends in another tab keeps the text being written', async () => {
  await keep([])
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(`/user/editTopic?topicId=${topic.id}`)
  await page.getByRole('textbox', { name: '正文' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('再添一句')
  const other = await context.newPage()
  await other.goto('/index')
  await other.evaluate(() => localStorage.removeItem('bbsToken'))
  await page.getByText('登录已过期').waitFor()
  await page.keyboard.type('，又一句')
  expect(await focused(page)).toContain('再添一句，又一句')
  await context.close()
})

test('the place of a draft is always shown, and the reason if it is only on this device', async () => {
  await keep([])
  const { page, context } = await site.visit({ as: 'azhe', width: 'phone' })
  await page.goto(`/thread?topicId=${another.topic_id}`)
  await page.locator('#thread-bar button').first().click()
  const button = page.getByRole('toolbar')
  const heightOf = async () => {
    const [field, below] = [await page.getByRole('textbox', { name: '你的评论' }).boundingBox(), await button.boundingBox()]
    return (below?.y ?? 0) - (field?.y ?? 0)
  }
  await page.getByRole('textbox', { name: '你的评论' }).click()
  const height = await heightOf()
  await page.keyboard.type('一')
  await page.getByText('草稿已保存。').waitFor()
  expect(await heightOf()).toBe(height)

  await context.setOffline(true)
  await page.keyboard.type('二')
  await page.getByText('草稿已保存在本机。').waitFor()
  await page.getByText('网络已断开，草稿只保存在本机。').waitFor()
  expect(await heightOf()).toBe(height)
  await context.setOffline(false)
  await page.getByText('草稿已保存。').waitFor()

  await keep(Array.from({ length: 100 }, (_, n) => `comment ${n + 1_000}`))
  await page.keyboard.type('三')
  await page.getByText('草稿箱已满，草稿只保存在本机。请先清理草稿箱。').waitFor()
  await page.keyboard.type('四')
  expect(await page.getByText('草稿箱已满').count()).toBe(1)
  expect(await heightOf()).toBe(height)
  await context.close()
})

async function keep(all: readonly string[]): Promise<void> {
  await db.deleteFrom('draft').execute()
  const content = (place: string) => JSON.stringify({ text: { view: 'rich', doc: says(textFor(place)) }, fields: {} })
  const rows = all.map((place) => ({ member_id: mine, place, content: content(place), writer: 'another-tab', device: '' }))
  if (rows.length > 0) await db.insertInto('draft').values(rows).execute()
}

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => (document.activeElement?.matches('[contenteditable="true"]') ? document.activeElement.textContent : null))
}

function isInView(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { top = -1, bottom = -1 } = document.activeElement?.getBoundingClientRect() ?? {}
    return top >= 0 && bottom > top && top < innerHeight
  })
}

async function tokens(): Promise<string> {
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto('/index')
  const pair = await page.evaluate(() => localStorage.getItem('bbsToken'))
  await context.close()
  return pair ?? ''
}
