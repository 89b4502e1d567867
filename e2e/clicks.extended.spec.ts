import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { outOfOrder } from './go.ts'
import { choose as fromMenu } from './post-menu.ts'
import { screenVisits } from './screen-visits.ts'
import { builtForum, type Visit } from './site.ts'
import { wordsIn } from './words.ts'

// every-screen.spec.ts checks the screens themselves; this one checks the navigation between them.
const site = await builtForum()
await screenVisits(site)
const brewing = await site.database.app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
const words = wordsIn('zh')

test('a visitor clicks from the index to threads, members, help and the login, on a phone', async () => {
  const { page, context, complaints, click } = await begin({ width: 'phone' })
  await page.goto('/index')
  await click(page.getByRole('link', { name: words('topic.byHeat'), exact: true }))
  await click(page.locator(`a[href="/index?tagId=${brewing.id}"] >> visible=true`).first())
  await click(page.getByRole('navigation', { name: words('tag.all') }).getByRole('link', { name: words('tag.all') }))
  await click(page.getByRole('link', { name: words('topic.onlyFeatured'), exact: true }))
  await click(page.locator('h2 a[href^="/thread?"]').filter({ hasText: '一条 SQL' }))
  await page.locator('summary').first().click()
  await click(page.getByRole('link', { name: words('comment.onlyAuthor') }))
  await click(page.locator('article').first().getByRole('link', { name: '林夕' }), '/user/control/home')
  await page.goto('/askList')
  await click(page.getByRole('link', { name: words('question.resolved'), exact: true }))
  await click(page.locator('h2 a[href^="/question?questionId="]').first(), '/question')
  await click(page.getByRole('link', { name: words('site.terms') }), '/termsService')
  await click(page.getByRole('link', { name: words('site.about'), exact: true }), '/about')
  await click(page.getByRole('contentinfo').getByRole('link', { name: words('site.help'), exact: true }), '/help')
  await click(page.locator('main').getByRole('link').first(), '/helpDetail')
  await click(page.getByRole('link', { name: words('site.feedback'), exact: true }), '/feedback')
  await click(page.getByRole('link', { name: words('site.logIn') }).first(), '/login')
  await click(page.locator('main').getByRole('link', { name: words('account.register') }), '/register')
  expect(complaints).toEqual([])
  await context.close()
})

test('a member clicks through the menus to their own pages, on a phone', async () => {
  const { page, context, complaints, click } = await begin({ width: 'phone', as: 'laochen' })
  const choose = async (name: string, path: string) => {
    await page.getByRole('button', { name: words('site.menu') }).click()
    await click(page.locator('#account-menu').getByRole('link', { name: words(name), exact: true }), path)
  }
  const ring = () =>
    click(page.locator(`header a[aria-label^="${words('notification.bell', { count: 0, shown: '' })}"]`), '/user/control/remindList')
  const tab = (word: string, path: string) =>
    click(
      page.getByRole('navigation', { name: words('user.pages'), exact: true }).getByRole('link', { name: words(word), exact: true }),
      path,
    )
  const beside = (word: string, path: string) =>
    click(page.locator('#content nav:not(.tabs)').getByRole('link', { name: words(word), exact: true }), path)
  const back = (word: string, path: string) =>
    click(
      page
        .locator('main')
        .getByRole('link', { name: words(word), exact: true })
        .first(),
      path,
    )
  await page.goto('/index')
  await choose('user.home', '/user/control/home')
  await choose('draft.drafts', '/user/control/draftList')
  await beside('review.waiting', '/user/control/waitingList')
  await ring()
  await click(page.getByRole('link', { name: words('notification.settings'), exact: true }), '/user/control/remindSettings')
  await ring()
  await click(page.locator('main .tabs a[href="/user/control/systemNotifyList"]'), '/user/control/systemNotifyList')
  await click(page.locator('main .tabs a[href="/user/control/privateMessageList"]'), '/user/control/privateMessageList')
  await choose('user.wallet', '/user/control/point')
  await beside('wallet.balance', '/user/control/balance')
  await tab('user.content', '/user/control/topicList')
  await beside('hiddenPart.unlocks', '/user/control/topicUnhideList')
  await click(page.locator('main a[href="/user/control/topicUnhideList?view=unlocked"]'))
  await beside('user.answers', '/user/control/answerList')
  await beside('report.reports', '/user/control/reportList')
  await tab('user.favourites', '/user/control/favoriteList')
  await beside('user.likes', '/user/control/likeList')
  await tab('user.follows', '/user/control/followList')
  await tab('user.activity', '/user/control/home')
  await click(page.getByRole('link', { name: words('activity.all'), exact: true }), '/user/control/userDynamicList')
  await back('user.home', '/user/control/home')
  await choose('user.settings', '/user/control/settings')
  for (const name of ['editUser', 'remindSettings', 'preferences', 'blockList', 'personalData', 'leave']) {
    await click(page.locator(`main a[href="/user/control/${name}"]`), `/user/control/${name}`)
    await back('user.settings', '/user/control/settings')
  }
  await click(page.locator('main a[href="/user/control/security"]'), '/user/control/security')
  for (const name of ['password', 'signInMethods', 'passkeys', 'secondFactor', 'userLoginLogList', 'realNameAuthentication']) {
    await click(page.locator(`main li a[href="/user/control/${name}"]`).locator('visible=true'), `/user/control/${name}`)
    await back('accountSecurity.security', '/user/control/security')
  }
  await click(page.getByRole('link', { name: words('site.post'), exact: true }).locator('visible=true'), '/addTopic')
  await page.goto('/askList')
  await click(page.getByRole('link', { name: words('site.ask'), exact: true }).locator('visible=true'), '/addQuestion')
  expect(complaints).toEqual([])
  await context.close()
})

test('the menu of a post edits, copies and removes it, and a begun text is put away', async () => {
  const { page, context, complaints, click } = await begin({ width: 'phone', as: 'laochen' })
  await page.goto('/user/control/topicList')
  await click(page.getByRole('link', { name: '凤凰单丛' }), '/thread')
  const opening = page.locator('main article').first()
  await fromMenu(opening, words('topic.remove'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: words('site.cancel') })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const way of ['comment.quote', 'comment.reply']) {
    await page
      .getByRole('button', { name: words(way), exact: true })
      .first()
      .click()
    await page.getByRole('button', { name: words('site.putAway') }).click()
  }
  await fromMenu(opening, words('share.copyMarkdown'))
  await page.getByText(words('share.textCopied')).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^## /)
  await fromMenu(page.locator('li[id^="comment-"]').first(), words('share.copyLink'))
  await page.getByText(words('share.linkCopied')).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('&commentId=')
  await fromMenu(opening, words('topic.edit'))
  await expect.poll(() => new URL(page.url()).pathname).toBe('/user/editTopic')
  await page.goto('/user/control/questionList')
  await click(page.locator('h2 a[href^="/question?questionId="]').first(), '/question')
  await page.getByRole('button', { name: words('question.addPostscript') }).click()
  await page.getByRole('button', { name: words('site.cancel') }).click()
  await fromMenu(opening, words('topic.edit'))
  await expect.poll(() => new URL(page.url()).pathname).toBe('/user/editQuestion')
  expect(complaints).toEqual([])
  await context.close()
})

async function begin(as: Visit) {
  const walk = await site.visit(as)
  const { page } = walk

  /** Clicks a link, and checks the page it opens. */
  async function click(link: Locator, to?: string): Promise<void> {
    const before = page.url()
    await link.click()
    await page.waitForURL((url) => url.href !== before && (!to || url.pathname === to))
    expect(await outOfOrder(page)).toEqual([])
  }

  return { ...walk, click }
}
