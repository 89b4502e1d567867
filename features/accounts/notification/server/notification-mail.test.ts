import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { solvedCaptcha } from '#base/testing/verification-codes.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aComment } from '#comment/testing/factories.ts'
import { bindingCalls } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { aMailServer, codeTo, headerOf, partOf } from '#delivery/testing/factories.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { block } from '#follow/contract.ts'
import { addLike } from '#like/contract.ts'
import { aMessage, talking } from '#message/testing/factories.ts'
import { EmailNotBound } from '#notification/contract.ts'
import type { DeliveredKind } from '#notification/all-kinds.ts'
import * as contract from '#notification/notification-contract.ts'
import { mailAll } from '#notification/server/mailing.ts'
import { nextEmailAt } from '#notification/server/schedule.ts'
import type { Settings } from '#setting/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

const site = 'https://tea.localhost'
const forum = await aForum({ env: { TEAHOUSE_URL: site } })
const db = forum.database.app
const mail = await aMailServer()
const ground = { database: forum.database, log: pino({ level: 'silent' }) }
const tagId = await aTag(forum.database)
afterAll(() => mail.close())

let [mei, tom] = [] as unknown as [Person, Person]

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

beforeEach(async () => {
  mail.received.length = 0
  for (const table of ['delivery', 'attempt', 'notification_queue', 'contact'] as const) await db.deleteFrom(table).execute()
  await set({
    emailProvider: 'smtp',
    emailFrom: 'tea@example.org',
    smtpHost: '127.0.0.1',
    smtpPort: mail.port,
    smtpSecurity: 'none',
    notificationEmailsPerDay: 100,
    title: 'Teahouse',
    timeZone: 'Asia/Shanghai',
  })
  ;[mei, tom] = [await forum.member(), await forum.member()]
  await bind(mei, 'mei@example.com')
  await db.updateTable('member').set({ language: 'en' }).where('id', '=', mei.id).execute()
})

const bind = (who: Person, address: string) => transact(forum.database, (tx) => contact.bind(tx, who.id, { kind: 'email', address }))
const wants = (who: Person, kind: DeliveredKind, email = true) => who.call(contract.changeNotificationSetting, { kind, email })
const send = () => sendAll(ground)
async function itsTime(): Promise<void> {
  await sql`update notification_channel set rests_until = now(), next_at = case when next_at is not null then now() end`.execute(db)
  await mailAll(forum.database)
}
async function mails(): Promise<string[]> {
  await itsTime()
  await send()
  return mail.received.map(({ raw }) => partOf(raw, 'text/plain'))
}
const rawOf = () => mail.received.at(-1)?.raw ?? Buffer.of()
const tokenIn = (raw: Buffer) => /token=([\w-]{43})>/.exec(headerOf(raw, 'List-Unsubscribe'))?.[1] ?? ''

test('an e-mail keeps a name that is written the other way in its place, and a title in its own direction', async () => {
  await wants(mei, 'commented')
  await db.updateTable('member').set({ nickname: 'ליאור' }).where('id', '=', tom.id).execute()
  const topicId = await aTopic(mei, tagId, { title: 'مرحبا (1)' })
  await aComment(tom, topicId)
  const [text = ''] = await mails()
  expect(text).toContain('\u2068ליאור\u2069 commented on your topic')
  expect(partOf(rawOf(), 'text/html')).toMatch(/<span class="quiet" dir="auto" [^<>]*>مرحبا \(1\)<\/span>/)
})

describe('an e-mail with notifications', () => {
  test('has the new notifications, once, with links to the address of the site, and of chosen kinds only', async () => {
    await wants(mei, 'commented')
    const topicId = await aTopic(mei, tagId, { title: 'Oolong at evil.example' })
    const commentId = await aComment(tom, topicId, { body: says('See <b>this</b> http://evil.example') })
    await tom.call(addLike, { kind: 'topic', id: topicId })
    const [text = '', ...others] = await mails()
    expect(others).toEqual([])
    expect(text).toContain(`${tom.account} commented on your topic`)
    expect(text).toContain(`${site}/thread?topicId=${topicId}&commentId=${commentId}`)
    expect(text).not.toContain('likes')
    expect(text).not.toContain('evil.example')
    const html = partOf(rawOf(), 'text/html')
    expect(html).toContain('&lt;b&gt;this')
    expect(html.match(/href="([^"]*)"/g)?.every((one) => one.startsWith(`href="${site}/`))).toBe(true)
    await mails()
    expect(mail.received).toHaveLength(1)
  })

  test('has several things in one, in the language of its reader', async () => {
    await db.updateTable('member').set({ language: 'zh' }).where('id', '=', mei.id).execute()
    await wants(mei, 'commented')
    await wants(mei, 'liked')
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId)
    await tom.call(addLike, { kind: 'topic', id: topicId })
    const [text = ''] = await mails()
    expect(text).toContain('评论了你的话题')
    expect(text).toContain('赞了你的话题')
    expect(mail.received).toHaveLength(1)
  })

  test('has no notification that was read, withdrawn, or became inaccessible before it is sent', async () => {
    await wants(mei, 'commented')
    const shut = await aTag(forum.database)
    const [read, removed, closed, stays] = await Promise.all(
      [1, 2, 3, 4].map((n) => aTopic(mei, n === 3 ? shut : tagId, { title: `Topic number ${n}` })),
    )
    for (const topicId of [read, removed, closed, stays]) await aComment(tom, topicId ?? '')
    // The e-mail is queued, and changes before its sending count.
    await itsTime()
    const { notifications } = await mei.call(contract.notificationList, {})
    const first = notifications.find(({ post }) => post?.topicId === read)
    await mei.call(contract.markNotifications, { notificationIds: [first?.id ?? ''] })
    await mei.call(removeTopic, { topicId: removed ?? '' })
    await db.updateTable('tag').set({ is_restricted: true }).where('id', '=', shut).execute()
    invalidateNow(forum.database, 'role')
    await send()
    const text = partOf(rawOf(), 'text/plain')
    expect([1, 2, 3, 4].map((n) => text.includes(`Topic number ${n}`))).toEqual([false, false, false, true])
  })

  test('is not sent without remaining notifications', async () => {
    await wants(mei, 'commented')
    await aComment(tom, await aTopic(mei, tagId))
    await itsTime()
    await mei.call(contract.markAllNotifications, {})
    await send()
    expect(mail.received).toEqual([])
    expect(await db.selectFrom('delivery').select(['state', 'content']).execute()).toEqual([{ state: 'dropped', content: null }])
  })

  test('names the sender of a private message, and never its text; not of a request, a read one, or a blocked member', async () => {
    await talking(mei, tom)
    await aMessage(mei, tom)
    await wants(mei, 'message')
    await aMessage(tom, mei, 'The key lies under the mat')
    const [text = ''] = await mails()
    expect(text).toContain(`${tom.account} sent you a private message`)
    expect(text).toContain(`${site}/user/control/privateMessageChatList?userId=${tom.id}`)
    expect(mail.received.at(0)?.raw.toString()).not.toContain('under the mat')
    await aMessage(tom, mei, 'Again')
    await mei.call(block, { userId: tom.id, way: 'muted' })
    await mails()
    expect(mail.received).toHaveLength(1)
  })

  test('waits some minutes after the last, and goes out once, even with many senders at once', async () => {
    await wants(mei, 'commented')
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId)
    await Promise.all([mailAll(forum.database), mailAll(forum.database), mailAll(forum.database)])
    await Promise.all([send(), send()])
    expect(mail.received).toHaveLength(1)
    await aComment(tom, topicId)
    await mailAll(forum.database)
    await send()
    expect(mail.received).toHaveLength(1)
    expect(await mails()).toHaveLength(2)
  })

  test('is held to a ceiling of its own, and goes when there is room again', async () => {
    await set({ notificationEmailsPerDay: 1 })
    const bo = await forum.member()
    await bind(bo, 'bo@example.com')
    for (const who of [mei, bo]) {
      await wants(who, 'commented')
      await aComment(tom, await aTopic(who, tagId))
    }
    await mails()
    expect(mail.received).toHaveLength(1)
    await set({ notificationEmailsPerDay: 2 })
    await mails()
    expect(mail.received.map(({ to }) => to[0]).toSorted()).toEqual(['bo@example.com', 'mei@example.com'])
  })

  test('goes to a bound address alone', async () => {
    await db.deleteFrom('contact').execute()
    expect(await mei.isRefused(contract.changeNotificationSetting, { kind: 'liked', email: true }, EmailNotBound)).toBe(true)
    await bind(mei, 'mei@example.com')
    await wants(mei, 'commented')
    await db.deleteFrom('contact').execute()
    await aComment(tom, await aTopic(mei, tagId))
    expect(await mails()).toEqual([])
  })
})

test('a notification e-mail to a member awaiting approval shows no more than visitors see', async () => {
  await wants(mei, 'commented')
  const inside = await aClosedTag(forum.database)
  for (const who of [mei, tom]) await inside.admit(who.id)
  const topicId = await aTopic(mei, inside.tagId, { title: 'For members alone' })
  await aComment(tom, topicId)
  await db.insertInto('registration_request').values({ member_id: mei.id }).execute()
  expect(await mails()).toEqual([])
  await db.deleteFrom('registration_request').execute()
  await aComment(tom, topicId)
  expect((await mails())[0]).toContain('For members alone')
})

describe('an address unknown to its mail server', () => {
  const isUnreached = async () => (await mei.call(contract.notificationSettings, {})).email?.isUnreached

  async function tried(address: string): Promise<void> {
    await bind(mei, address)
    await wants(mei, 'commented')
    await aComment(tom, await aTopic(mei, tagId))
    await mails()
  }

  test('gets no more notifications, until a code was read there', async () => {
    await tried('gone@example.com')
    expect(await isUnreached()).toBe(true)
    await aComment(tom, await aTopic(mei, tagId))
    await mails()
    expect((await db.selectFrom('delivery').select('state').execute()).map(({ state }) => state)).toEqual(['refused'])
    await set({ emailProvider: 'outbox' })
    await mei.call(bindingCalls.email.sendCode, { about: 'old', ...(await solvedCaptcha(forum, mei)) })
    await mei.call(bindingCalls.email.stepOne, { code: await codeTo(forum, 'gone@example.com') })
    expect(await isUnreached()).toBe(false)
  })

  test('is not one that is refused for now', async () => {
    await tried('busy@example.com')
    expect(await isUnreached()).toBe(false)
  })
})

describe('a digest', () => {
  test('waits for its hour, and so does a notification from before it was chosen', async () => {
    await wants(mei, 'commented')
    await aComment(tom, await aTopic(mei, tagId))
    await mei.call(contract.changeNotificationMail, { rhythm: 'day', hour: 9 })
    await mailAll(forum.database)
    await send()
    expect(mail.received).toEqual([])
    const { email } = await mei.call(contract.notificationSettings, {})
    expect(email).toEqual({ bound: 'm***@example.com', isUnreached: false, rhythm: 'day', hour: 9 })
    expect(await mails()).toHaveLength(1)
    const way = await db
      .selectFrom('notification_channel')
      .select(['rests_until', 'next_at'])
      .where('member_id', '=', mei.id)
      .executeTakeFirst()
    expect(way?.next_at).toBe(null)
    expect([way?.rests_until.getUTCHours(), way?.rests_until.getUTCMinutes()]).toEqual([1, 0])
  })

  test('comes at an hour of the local clock, by day or on Mondays, through changes of the clock', () => {
    const at = (rhythm: 'day' | 'week', now: string, zone = 'Asia/Shanghai') =>
      nextEmailAt({ rhythm, hour: 8 }, zone, Date.parse(now)).toISOString()
    expect(at('day', '2026-11-23T00:00:00Z')).toBe('2026-11-24T00:00:00.000Z')
    expect(at('day', '2026-11-22T23:59:00Z')).toBe('2026-11-23T00:00:00.000Z')
    expect(at('week', '2026-11-23T00:00:00Z')).toBe('2026-11-30T00:00:00.000Z')
    expect(at('day', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T06:00:00.000Z')
  })
})

describe('the link at the end', () => {
  async function sent(): Promise<string> {
    await wants(mei, 'commented')
    await wants(mei, 'liked')
    await aComment(tom, await aTopic(mei, tagId))
    await mails()
    return tokenIn(rawOf())
  }
  const chosen = async () => (await mei.call(contract.notificationSettings, {})).kinds.filter(({ email }) => email).map(({ kind }) => kind)
  const press = (token: string) =>
    forum.app.inject({
      method: 'POST',
      url: `/unsubscribe?token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })

  test('ends that kind by one press of a mail program, and looking ends nothing', async () => {
    const token = await sent()
    expect(headerOf(rawOf(), 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(await forum.visitor().call(contract.stopForm, { token })).toEqual({ isKnown: true, kind: 'commented' })
    expect(await chosen()).toEqual(['commented', 'liked'])
    expect((await press(token)).statusCode).toBe(200)
    expect((await press(token)).statusCode).toBe(200)
    expect(await chosen()).toEqual(['liked'])
    // The standard allows both encodings.
    const headers = { 'content-type': 'multipart/form-data; boundary=one' }
    const payload = '--one\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--one--\r\n'
    expect((await forum.app.inject({ method: 'POST', url: `/unsubscribe?token=${token}`, headers, payload })).statusCode).toBe(200)
    const tokens = await db.selectFrom('unsubscribe_token').selectAll().execute()
    expect(JSON.stringify(tokens)).not.toContain(token)
  })

  test('ends no other kind by the page, for any holder, logged in or not', async () => {
    const token = await sent()
    await forum.visitor().call(contract.stopNotifications, { token, kind: 'liked' })
    expect(await chosen()).toEqual(['commented', 'liked'])
    await forum.visitor().call(contract.stopNotifications, { token })
    expect(await chosen()).toEqual(['liked'])
  })

  test('that stands for all kinds ends all, or one of them', async () => {
    const token = await sent()
    await db.updateTable('unsubscribe_token').set({ kind: null }).execute()
    await forum.visitor().call(contract.stopNotifications, { token, kind: 'liked' })
    expect(await chosen()).toEqual(['commented'])
    await forum.visitor().call(contract.stopNotifications, { token })
    expect(await chosen()).toEqual([])
  })

  test('of a kind that this version does not know ends nothing', async () => {
    const token = await sent()
    await db.updateTable('unsubscribe_token').set({ kind: 'waved' }).execute()
    expect((await press(token)).statusCode).toBe(200)
    expect(await chosen()).toEqual(['commented', 'liked'])
  })

  test('is pressed no more often by one network than any other call, and not on a closed site', async () => {
    const token = await sent()
    const fromNetwork = () => forum.app.inject({ method: 'POST', url: '/unsubscribe', remoteAddress: '203.0.113.9' })
    for (let n = 0; n < 600; n++) await fromNetwork()
    expect((await fromNetwork()).statusCode).toBe(429)
    await set({ siteState: 'closed' })
    expect((await press(token)).statusCode).toBe(503)
    await set({ siteState: 'readOnly' })
    expect((await press(token)).statusCode).toBe(200)
    await set({ siteState: 'open' })
    expect(await chosen()).toEqual(['liked'])
  })

  test('that was made up ends nothing, and says no more than that it is not known', async () => {
    await sent()
    const wrong = 'x'.repeat(43)
    expect((await press(wrong)).statusCode).toBe(200)
    await forum.visitor().call(contract.stopNotifications, { token: wrong })
    expect(await forum.visitor().call(contract.stopForm, { token: wrong })).toEqual({ isKnown: false, kind: null })
    expect(await chosen()).toEqual(['commented', 'liked'])
  })
})

test('settings are a member’s own', async () => {
  const visitor = forum.visitor()
  expect((await visitor.tryCall(contract.changeNotificationMail, { rhythm: 'day', hour: 8 })).status).toBe(401)
  expect((await visitor.tryCall(contract.changeNotificationSetting, { kind: 'liked', email: true })).status).toBe(401)
  expect((await mei.tryCall(contract.changeNotificationMail, { rhythm: 'day', hour: 24 })).status).toBe(422)
})
