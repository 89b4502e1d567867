import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { blemishes, misfits } from '#base/testing/blemishes.ts'
import { ask } from '#question/server/ask.ts'
import { says } from '#writing/server/example.ts'
import { choose as fromMenu } from './post-menu.ts'
import { aSite, type Visit, type Walk } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const quotingTopic = await site.topic('一条 SQL')

await site.write(async (tx) => {
  const category = { name_zh: '新手上路', name_en: 'First steps' }
  const { id } = await tx.insertInto('help_category').values(category).returning('id').executeTakeFirstOrThrow()
  const page = { title_zh: '怎样发帖', title_en: 'How to post', body_zh: '点**发表**。', body_en: 'Press **Post**.' }
  await tx
    .insertInto('help_page')
    .values({ ...page, category_id: id })
    .execute()
})

await site.write(async (tx) => {
  const { id } = await tx.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
  const author = { id, sessionId: '', sees: '', may: () => true, where: () => ({ except: [] }) }
  const question = { tagId: await tag('brewing'), tagIds: [], title: '盖碗烫手怎么办', body: says('每次出汤都烫手。') }
  await ask(tx, author, question)
})

// Words and colours do not know of each other: both ways lead through every screen, and the checker looks at each on one of them, in turn.
const ways = [
  ['zh', 'light'],
  ['en', 'dark'],
] as const

test.each(ways)('a visitor clicks through every screen there is for visitors, in %s, %s, on a phone', async (language, theme) => {
  const words = wordsIn(language)
  const tour = await begin({ language, theme, width: 'phone' })
  const { page, at } = tour
  await page.goto('/index')
  await at('/index')
  await tour.click(page.getByRole('link', { name: words('topic.byHeat'), exact: true }))
  await tour.click(page.locator(`a[href="/index?tagId=${await tag('brewing')}"] >> visible=true`).first())
  await tour.click(page.getByRole('navigation', { name: words('tag.all') }).getByRole('link', { name: words('tag.all') }))
  await tour.click(page.getByRole('link', { name: words('topic.onlyFeatured'), exact: true }))
  await tour.click(page.locator(`h2 a[href="/thread?topicId=${quotingTopic}"]`))
  await at('/thread')
  await page.locator('summary').first().click()
  await tour.click(page.getByRole('link', { name: words('comment.onlyAuthor') }))
  await tour.click(page.locator('article').first().getByRole('link', { name: '林夕' }))
  await at('/user/control/home')
  for (const list of ['topicList', 'commentList', 'replyList']) {
    await tour.goOn(list)
    await at(`/user/control/${list}`)
    await page.goBack()
    await at('/user/control/home')
  }
  await page.goto(`/unsubscribe?token=${'x'.repeat(43)}`)
  await at('/unsubscribe')
  await page.goto('/askList')
  await at('/askList')
  await tour.click(page.getByRole('link', { name: words('question.resolved'), exact: true }))
  await tour.click(page.locator('h2 a[href^="/question?questionId="]').first())
  await at('/question')
  await tour.click(page.getByRole('link', { name: words('site.terms') }))
  await at('/termsService')
  await tour.click(page.getByRole('link', { name: words('site.about'), exact: true }))
  await at('/about')
  await tour.click(page.getByRole('contentinfo').getByRole('link', { name: words('site.help'), exact: true }))
  await at('/help')
  await tour.click(page.locator('main').getByRole('link').first())
  await at('/helpDetail')
  await tour.click(page.getByRole('link', { name: words('site.feedback'), exact: true }))
  await at('/feedback')
  await page.locator('.captcha').waitFor()
  await page.goto('/user/control/point')
  await at('/user/control/point')
  await page.goto('/search?keyword=茶')
  await at('/search')
  await tour.click(page.getByRole('link', { name: words('site.logIn') }).first())
  await at('/login')
  await tour.click(page.locator('main').getByRole('link', { name: words('account.register') }))
  await at('/register')
  await page.locator('.captcha').waitFor()
  await page.goto('/findPassWord/step1')
  await page.getByText(words('account.noWayToRecover')).waitFor()
  await at('/findPassWord/step1')
  await page.goto('/findPassWord/step2')
  await page.getByText(words('account.recoveryExpired')).waitFor()
  await at('/findPassWord/step2')
  await page.goto('/takeBack')
  await page.getByText(words('account.takeBackExpired')).waitFor()
  await at('/takeBack')
  expect(tour.complaints).toEqual([])
  await page.goto('/thirdParty/loginRedirect')
  await page.getByText(words('identity.expired')).waitFor()
  await at('/thirdParty/loginRedirect')
  await tour.context.close()
})

test.each(ways)('a member clicks through every screen of their own, in %s, %s, on a phone', async (language, theme) => {
  const words = wordsIn(language)
  const tour = await begin({ language, theme, width: 'phone', as: 'laochen' })
  const { page, at } = tour
  const menu = page.getByRole('button', { name: words('site.menu') })

  async function choose(name: string): Promise<void> {
    await menu.click()
    await tour.click(page.locator('#account-menu').getByRole('link', { name: words(name), exact: true }))
  }

  await page.goto('/index')
  await menu.waitFor()
  await choose('user.home')
  await at('/user/control/home')
  await choose('draft.drafts')
  await at('/user/control/draftList')
  await tour.goOn('waitingList')
  await at('/user/control/waitingList')
  await page
    .locator('header')
    .getByRole('button', { name: words('notice.behindBell') })
    .click()
  await tour.click(page.locator('header a[href="/user/control/remindList"]'))
  await at('/user/control/remindList')
  await tour.click(page.getByRole('link', { name: words('notice.settings'), exact: true }))
  await at('/user/control/remindSettings')
  await page
    .locator('header')
    .getByRole('button', { name: words('notice.behindBell') })
    .click()
  await tour.click(page.locator('header a[href="/user/control/systemNotifyList"]'))
  await at('/user/control/systemNotifyList')
  await throughMessages(tour, words('message.back'))
  await choose('user.topics')
  await at('/user/control/topicList')
  await tour.click(page.getByRole('link', { name: '凤凰单丛' }))
  await at('/thread')
  const opening = page.locator('main article').first()
  await fromMenu(opening, words('topic.remove'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words('site.cancel') })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page
    .getByRole('button', { name: words('comment.quote'), exact: true })
    .first()
    .click()
  const putAway = page.getByRole('button', { name: words('comment.putAway') })
  await putAway.click()
  await page
    .getByRole('button', { name: words('comment.reply'), exact: true })
    .first()
    .click()
  await putAway.click()
  await fromMenu(opening, words('share.copyMarkdown'))
  await page.getByText(words('share.textCopied')).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^## /)
  await fromMenu(page.locator('li[id^="comment-"]').first(), words('share.copyLink'))
  await page.getByText(words('share.linkCopied')).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('&commentId=')
  await fromMenu(opening, words('topic.edit'))
  await at('/user/editTopic')
  await page.goto('/user/control/home')
  for (const list of ['answerList', 'answerReplyList', 'questionList']) {
    await tour.goOn(list)
    await at(`/user/control/${list}`)
  }
  await tour.click(page.locator('h2 a[href^="/question?questionId="]').first())
  await at('/question')
  await page.getByRole('button', { name: words('question.addPostscript') }).click()
  await page.getByRole('button', { name: words('site.cancel') }).click()
  await fromMenu(opening, words('topic.edit'))
  await at('/user/editQuestion')
  await page.goto('/askList')
  await tour.click(page.getByRole('link', { name: words('site.ask'), exact: true }).locator('visible=true'))
  await at('/addQuestion')
  await choose('wallet.points')
  await at('/user/control/point')
  await choose('wallet.balance')
  await at('/user/control/balance')
  await tour.goOn('topicUnhideList')
  await at('/user/control/topicUnhideList')
  await tour.click(page.locator('main a[href="/user/control/topicUnhideList?view=unlocked"]'))
  await tour.goOn('likeList')
  await at('/user/control/likeList')
  await page.goto(`/user/control/topicLikeList?topicId=${await site.topic('凤凰单丛')}`)
  await at('/user/control/topicLikeList')
  await page.goto(`/user/control/topicFavoriteList?topicId=${await site.topic('凤凰单丛')}`)
  await at('/user/control/topicFavoriteList')
  await tour.goOn('favoriteList')
  await at('/user/control/favoriteList')
  for (const list of ['followList', 'followerList', 'blockList', 'userDynamicList']) {
    await tour.goOn(list)
    await at(`/user/control/${list}`)
  }
  await page.goto(`/user/control/questionFavoriteList?questionId=${await site.topic('盖碗烫手')}`)
  await at('/user/control/questionFavoriteList')
  await tour.goOn('reportList')
  await at('/user/control/reportList')
  await choose('user.editProfile')
  await at('/user/control/editUser')
  await choose('account.loginLog')
  await at('/user/control/userLoginLogList')
  for (const own of ['signInMethods', 'security', 'realNameAuthentication', 'preferences', 'personalData', 'leave']) {
    await tour.goOn(own)
    await at(`/user/control/${own}`)
  }
  // Its way is shown where registration is by invitation.
  await page.goto('/user/control/invitations')
  await at('/user/control/invitations')
  await bindings(page, at, words)
  await tour.click(page.getByRole('link', { name: words('site.post'), exact: true }).locator('visible=true'))
  await at('/addTopic')
  expect(tour.complaints).toEqual([])
  await tour.context.close()
})

test('no screen was left out', () => {
  expect([...seen].sort()).toEqual(screens.map((screen) => screen.path).sort())
})

const seen = new Set<string>()

/** The pages of the phone number and the e-mail address, while neither is bound. */
async function bindings(page: Page, at: (path: string) => Promise<void>, words: ReturnType<typeof wordsIn>): Promise<void> {
  await page.goto('/user/control/hintQuestion')
  await page.getByText(words('account.hintWhat')).waitFor()
  await at('/user/control/hintQuestion')
  for (const kind of ['Phone', 'Email']) {
    const binding = `/user/control/${kind.toLowerCase()}Binding`
    await page.goto(binding)
    await page.locator('.captcha').waitFor()
    await at(binding)
    for (const [step, says] of Object.entries({ step1: 'contact.notBound', step2: 'contact.proveFirst' })) {
      await page.goto(`/user/control/update${kind}Binding/${step}`)
      await page.getByText(words(says)).waitFor()
      await at(`/user/control/update${kind}Binding/${step}`)
    }
  }
}

type Tour = Walk & {
  /** Follows a link, and finds the page it leads to in order. */
  click(link: Locator): Promise<void>
  /** Goes to another page of the same member by the list of them, unfolded where it is not. */
  goOn(name: string): Promise<void>
  /** Is there, and the first time nothing is found wrong. */
  at(path: string): Promise<void>
}

async function begin(as: Visit): Promise<Tour> {
  const walk = await site.visit(as)
  const { page } = walk
  const checked = new Set<string>()
  const words = wordsIn(as.language ?? 'zh')

  async function at(path: string): Promise<void> {
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
    seen.add(path)
    await inOrder(page)
    if (checked.has(path)) return
    checked.add(path)
    const isItsTurn = checked.size % ways.length === ways.findIndex(([language]) => language === as.language)
    expect(await (isItsTurn ? blemishes(page) : misfits(page))).toEqual([])
  }

  async function click(link: Locator): Promise<void> {
    const before = page.url()
    await link.click()
    await page.waitForURL((url) => url.href !== before)
    await inOrder(page)
  }

  async function goOn(name: string): Promise<void> {
    const ways = page.getByRole('navigation', { name: words('user.pages'), exact: true })
    const fold = ways.getByRole('button', { expanded: false })
    if (await fold.isVisible()) await fold.click()
    await click(ways.locator(`a[href*="/${name}"]`))
  }

  return { ...walk, at, click, goOn }
}

async function inOrder(page: Page): Promise<void> {
  await page.locator('div[role=progressbar]').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  expect(await page.getByRole('heading', { level: 1 }).count(), `headings of ${page.url()}`).toBe(1)
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    `overflow of ${page.url()}`,
  ).toBe(0)
  const ways = await page
    .locator('nav')
    .evaluateAll((all) => all.map((nav) => nav.getAttribute('aria-label') ?? nav.ariaLabelledByElements?.[0]?.textContent))
  expect(ways, `ways of ${page.url()}`).toEqual([...new Set(ways)])
}

async function throughMessages({ page, click, at }: Tour, back: string): Promise<void> {
  await click(page.locator('main .tabs a[href="/user/control/privateMessageList"]'))
  await at('/user/control/privateMessageList')
  await page.goto(`/user/control/privateMessageChatList?userId=${await member('azhe')}`)
  await page.locator('form [contenteditable="true"]').waitFor()
  await at('/user/control/privateMessageChatList')
  await click(page.getByRole('link', { name: back, exact: true }))
}

async function member(account: string): Promise<string> {
  return (await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

async function tag(key: string): Promise<string> {
  return (await site.database.app.selectFrom('tag').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id
}
