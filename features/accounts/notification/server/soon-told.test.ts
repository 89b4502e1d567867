import { beforeAll, beforeEach, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { jobs } from '#notification/server/jobs.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newerFirefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'

let forum: Forum
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  await chooseOutbox(forum)
})
beforeEach(async () => {
  mei = await forum.member()
})

const run = async (name: string) => jobs.find((job) => job.name === name)?.run({ database: forum.database } as never, {})

const cookies = new Map<string, string>()

/** From the browser of the same cookie, or from another of the same kind. */
async function logsIn(userAgent: string, ip: string, browser = userAgent.replace(/\d+/g, '')): Promise<void> {
  const visitor = Object.assign(forum.visitor(), { userAgent, ip, cookie: cookies.get(browser) ?? '' })
  if (!visitor.cookie) await visitor.fetchToken()
  cookies.set(browser, visitor.cookie)
  await visitor.call(login, { account: mei.account, password: mei.password })
  await run('notification-sign-ins')
}

const signInNotices = async () =>
  (await noticesOf(mei)).map(({ says }) =>
    says.kind === 'newSignIn' ? `${says.device === phone ? 'phone' : 'firefox'} ${says.region}` : says.kind,
  )

test('a login from a new browser, or a new place with a known one, is notified once, and no other', async () => {
  await logsIn(firefox, '8.8.8.8')
  const before = await signInNotices()
  await logsIn(firefox, '8.8.8.8')
  await logsIn(newerFirefox, '8.8.4.4')
  expect(await signInNotices()).toEqual(before)
  await logsIn(phone, '8.8.8.8')
  await run('notification-sign-ins')
  expect(await signInNotices()).toEqual(['phone US', ...before])
  await logsIn(firefox, '114.114.114.114')
  expect((await signInNotices())[0]).toMatch(/^firefox CN/)
  await logsIn(firefox, '114.114.114.114')
  expect(await signInNotices()).toHaveLength(before.length + 2)
})

test('a login from another browser of the same kind is notified, by e-mail too', async () => {
  await transact(forum.database, (tx) => contact.bind(tx, mei.id, { kind: 'email', address: 'mei-told@example.org' }))
  await logsIn(firefox, '8.8.8.8')
  const before = await signInNotices()
  await logsIn(firefox, '8.8.8.8', 'a stranger’s')
  expect(await signInNotices()).toEqual(['firefox US', ...before])
  expect(await lastTo(forum, 'mei-told@example.org', /Firefox/)).toMatch(/United States|US|美国/)
})

test('a first session sends no notice', async () => {
  const ann = await forum.member()
  await run('notification-sign-ins')
  expect(await noticesOf(ann)).toEqual([])
})
