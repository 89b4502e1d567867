import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { PollDraft } from '#poll/thread-part.ts'
import * as topics from '#topic/server/publish.ts'
import { says } from '#writing/testing/factories.ts'
import { chooseTag } from './choose-tag.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { visitAsStaff } from './staff-visit.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('a member adds a poll, another votes on a phone, and the author sees it at once, adds an option and ends the poll', async () => {
  const author = await site.visit({ as: 'laochen', language: 'zh' })
  const { page } = author
  await page.goto('/addTopic')
  await chooseTag(page, zh('tag.tag'))
  await page.getByRole('textbox', { name: zh('topic.title') }).fill('周末喝什么茶')
  await page.getByRole('textbox', { name: zh('topic.body') }).click()
  await page.keyboard.type('大家来选。')
  await page.getByRole('checkbox', { name: zh('poll.addPoll') }).check()
  await page.getByRole('textbox', { name: zh('poll.question') }).fill('哪一种？')
  const option = (number: number) => page.getByRole('textbox', { name: zh('poll.option', { number }) })
  await option(1).fill('绿茶')
  await option(2).fill('绿茶')
  await page.getByRole('button', { name: zh('poll.addOption') }).click()
  await expect.poll(() => option(3).evaluate((field) => field === document.activeElement)).toBe(true)
  await option(3).fill('乌龙')
  await screenshot(page, 'poll-form')
  await page.getByRole('button', { name: zh('topic.publish'), exact: true }).click()
  await page.getByText(zh('poll.optionsAlike')).waitFor()
  await option(2).fill('红茶')
  await page.getByText(zh('editor.draftOnSite')).waitFor()
  await page.reload()
  await expect.poll(() => option(3).inputValue()).toBe('乌龙')
  await page.getByRole('button', { name: zh('topic.publish'), exact: true }).click()
  await page.getByRole('link', { name: zh('topic.goNow') }).click()
  await page.waitForURL((url) => url.pathname === '/thread')
  const address = page.url().slice(site.url.length)
  const own = page.getByRole('region', { name: '哪一种？' })
  await own.getByText(zh('poll.voters', { count: 0 })).waitFor()
  await screenshot(page, 'poll-author')

  const voter = await site.visit({ as: 'azhe', language: 'en', width: 'phone', theme: 'dark' })
  await voter.page.goto(address)
  const card = voter.page.getByRole('region', { name: '哪一种？' })
  await card.getByRole('button', { name: en('poll.vote'), exact: true }).click()
  await card.getByRole('alert').waitFor()
  await card.getByRole('radio', { name: /红茶/ }).check()
  await screenshot(voter.page, 'poll-ballot-phone-dark')
  await card.getByRole('button', { name: en('poll.vote'), exact: true }).click()
  await card.getByText(en('poll.voted')).waitFor()
  await card.getByText(en('poll.voters', { count: 1 })).waitFor()
  await screenshot(voter.page, 'poll-voted-phone-dark')
  expect(await accessibilityViolations(voter.page)).toEqual([])

  // The author's page learns of it by itself.
  await own.getByText(zh('poll.voters', { count: 1 })).waitFor()
  await own.getByRole('button', { name: zh('poll.edit') }).click()
  const dialog = page.getByRole('dialog', { name: zh('poll.edit') })
  expect(await dialog.getByRole('textbox', { name: zh('poll.option', { number: 2 }) }).getAttribute('readonly')).not.toBe(null)
  await dialog.getByRole('button', { name: zh('poll.addOption') }).click()
  await page.keyboard.type('白茶')
  await dialog.getByRole('button', { name: zh('poll.moveUp', { number: 4 }) }).click()
  await screenshot(page, 'poll-editing')
  await dialog.getByRole('button', { name: zh('poll.save') }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => card.getByRole('listitem').allInnerTexts()).toHaveLength(4)
  expect((await card.getByRole('listitem').allInnerTexts())[2]).toContain('白茶')
  await own.getByRole('button', { name: zh('poll.end') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: zh('poll.end') })
    .click()
  await own.getByText(zh('poll.hasEnded')).waitFor()
  await card.getByText(en('poll.hasEnded')).waitFor()
  await screenshot(page, 'poll-ended')
  expect(await accessibilityViolations(page)).toEqual([])
  for (const { complaints, context } of [author, voter]) {
    expect(complaints.filter((one) => !/status of 422/.test(one))).toEqual([])
    await context.close()
  }
  await endedForStaff(address.split('topicId=')[1] ?? '')
})

/** Staff see the poll with its results on the page of the topic, and remove it. */
async function endedForStaff(topicId: string): Promise<void> {
  const staff = await visitAsStaff(site, { language: 'en' })
  await staff.page.goto(`/admin/topic/view?topicId=${topicId}`)
  const section = staff.page.getByRole('region', { name: /哪一种？/ })
  await section.getByText(en('pollAdmin.votes', { count: 1 }), { exact: true }).waitFor()
  await screenshot(staff.page, 'poll-staff')
  await staff.page.getByRole('button', { name: en('pollAdmin.remove') }).click()
  const dialog = staff.page.getByRole('dialog', { name: en('pollAdmin.remove') })
  await dialog.getByRole('textbox', { name: en('pollAdmin.reason') }).fill('An advertisement.')
  await screenshot(staff.page, 'poll-removing')
  await dialog.getByRole('button', { name: en('pollAdmin.remove') }).click()
  await section.waitFor({ state: 'hidden' })
  expect(staff.complaints).toEqual([])
  await staff.context.close()
}

test('a visitor sees the results of a poll, and is asked to sign in for a vote', async () => {
  const { page, complaints, context } = await site.visit({ language: 'zh', width: 'phone' })
  await page.goto(`/thread?topicId=${await site.topic('用了九个笔记软件')}`)
  const card = page.getByRole('region', { name: '你的笔记现在放在哪里？' })
  await card.getByText(zh('poll.voters', { count: 11 })).waitFor()
  await screenshot(page, 'poll-visitor-phone')
  expect(await accessibilityViolations(page)).toEqual([])
  await card.getByRole('link', { name: zh('poll.loginToVote') }).click()
  await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.has('jumpUrl'))
  expect(complaints).toEqual([])
  await context.close()
})

test('a ballot works by keyboard, and takes no more choices than it may', async () => {
  const { page, complaints, context } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto(`/thread?topicId=${await site.topic('Reading a whole novel')}`)
  const card = page.getByRole('region', { name: 'How do you read long books?' })
  await card.getByRole('checkbox', { name: 'On paper' }).focus()
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await card
    .getByRole('alert')
    .getByText(en('poll.tooManyChosen', { most: 2 }))
    .waitFor()
  await card.getByRole('checkbox', { name: 'On a phone' }).uncheck()
  await card.getByRole('button', { name: en('poll.vote'), exact: true }).press('Enter')
  await card.getByText(en('poll.voted')).waitFor()
  await card.getByText(en('poll.voters', { count: 8 })).waitFor()
  await screenshot(page, 'poll-several-choices')
  expect(complaints).toEqual([])
  await context.close()
})

test('a public poll shows the voters of each option to all; staff see a poll with a topic in review', async () => {
  const topicId = await publish({ title: '去哪里喝', options: ['河边', '山上'], isPublic: true })
  const voter = await site.visit({ as: 'azhe', language: 'zh', width: 'phone' })
  await voter.page.goto(`/thread?topicId=${topicId}`)
  const card = voter.page.getByRole('region', { name: '去哪里喝' })
  await card.getByRole('radio', { name: /山上/ }).check()
  await card.getByRole('button', { name: zh('poll.vote'), exact: true }).click()
  await card.getByRole('button', { name: zh('poll.showVoters', { option: '山上' }) }).click()
  const dialog = voter.page.getByRole('dialog', { name: zh('poll.whoVoted', { option: '山上' }) })
  await dialog.getByText('阿哲').waitFor()
  await screenshot(voter.page, 'poll-voters-phone')
  expect(await accessibilityViolations(voter.page)).toEqual([])
  expect(voter.complaints).toEqual([])
  await voter.context.close()

  await site.change('reviewTopics', 'everybody')
  await publish({ title: '等一等', options: ['好', '不好'] })
  await site.change('reviewTopics', 'nobody')
  const staff = await visitAsStaff(site, { language: 'zh' })
  await staff.page.goto('/admin/review')
  await staff.page.getByRole('heading', { name: '投票：等一等' }).waitFor()
  await screenshot(staff.page, 'poll-review')
  expect(staff.complaints).toEqual([])
  await staff.context.close()
})

/** Publishes a topic with this poll as a member. */
async function publish(poll: { title: string; options: string[]; isPublic?: boolean }): Promise<string> {
  const { app } = site.database
  const { id } = await app.selectFrom('member').select('id').where('account', '=', 'linxi_dev').executeTakeFirstOrThrow()
  const { id: tagId } = await app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
  const member = { id, sessionId: '', audience: '', may: (right: string) => !right.endsWith('unreviewed'), where: () => ({ except: [] }) }
  const parts = { poll: PollDraft.parse(poll) }
  const draft = { tagId, title: `${poll.title}的话题`, body: says('来投票吧。'), parts }
  return site.write(async (tx) => (await topics.publish(tx, member, draft)).topicId)
}
