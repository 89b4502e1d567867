import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as comments from '#comment/server/comment.ts'
import * as topics from '#topic/server/publish.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { outOfOrder } from './go.ts'
import { screenshot } from './shot.ts'
import { builtForum, type BrowserVisit } from './site.ts'

const site = await builtForum()
const title = 'مرحبا abc: كيف الحال؟'
let topicId = ''
let memberId = ''

const body = `مرحبا بالعالم 123 (abc)، كيف الحال؟

## عنوان (1)

- قهوة سوداء، و \`f(x)\`.
- شاي

> اقتباس: «نعم».

| مشروب | price |
| --- | --: |
| شاي (أخضر) | 12 |

\`\`\`js
const greeting = ("مرحبا", "أهلا") // تعليق
\`\`\`

English with (שלום) in it.
`

beforeAll(async () => {
  const { app } = site.database
  const [laochen, azhe] = [await idOf('laochen'), await idOf('azhe')]
  memberId = azhe
  const { id: tagId } = await app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
  await site.change('title', 'بيت الشاي')
  topicId = await site.write(async (tx) => {
    await tx.updateTable('tag').set({ name_zh: 'تحضير الشاي', name_en: 'تحضير الشاي' }).where('id', '=', tagId).execute()
    await tx.updateTable('member').set({ nickname: 'ليلى', about: 'أحب الشاي (الأخضر).' }).where('id', '=', azhe).execute()
    invalidate(tx, 'tags', 'everything', `member:${azhe}`)
    const topic = await topics.publish(tx, as(azhe), { tagId, title, body: fromMarkdown(body) })
    const greets = fromMarkdown(`@[ليلى](member:${azhe}) شكرا (2).`)
    await comments.add(tx, as(laochen), { kind: 'comment', under: topic.topicId, body: greets })
    return topic.topicId
  })
})

const as = (id: string) => ({ id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) })

async function idOf(account: string): Promise<string> {
  return (await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

/** Right-to-left texts without isolation that share an element with other text. */
function touching(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const content = (text.nodeValue ?? '').replace(/\u2068[^\u2068\u2069]*\u2069/g, '')
      const parent = text.parentElement
      if (!parent || !/\p{Script=Arabic}/u.test(content) || parent.closest('.prose, bdi, script')) continue
      const others = [...parent.childNodes].filter((one) => one !== text && one.nodeType === Node.TEXT_NODE && one.nodeValue?.trim())
      if (others.length > 0) found.push(parent.textContent)
    }
    return found
  })
}

const screens = [
  ['thread', () => `/thread?topicId=${topicId}`, 'مرحبا'],
  ['list', () => '/index', 'مرحبا'],
  ['search', () => `/search?${new URLSearchParams({ keyword: 'مرحبا' })}`, 'مرحبا'],
  ['home', () => `/user/control/home?userId=${memberId}`, 'ليلى'],
  ['notifications', () => '/user/control/remindList', 'مرحبا'],
  ['write', () => `/user/editTopic?topicId=${topicId}`, 'اقتباس'],
] as const

describe.each([
  ['phone', 'dark'],
  ['desktop', 'light'],
] as const)('on a %s in %s', (width, theme) => {
  let walk: BrowserVisit
  beforeAll(async () => {
    walk = await site.visit({ language: 'en', as: 'azhe', width, theme })
  })

  test.each(screens)('no text is reversed at %s', async (name, path, shows) => {
    const { page } = walk
    await page.goto(path())
    await page.locator('main').getByText(shows).first().waitFor()
    await screenshot(page, `direction-${name}-${width}`)
    expect([...(await touching(page)), ...(await outOfOrder(page)), ...(await accessibilityViolations(page, { within: 'main' }))]).toEqual(
      [],
    )
  })
})
