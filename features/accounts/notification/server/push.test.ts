import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { logout } from '#account/contract.ts'
import { viewerOf } from '#account/server/account.ts'
import { Missing } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { SignedOut, type Member } from '#base/server/http/route.ts'
import { postUntrusted, type Network } from '#base/server/outbound/safe-fetch.ts'
import { aBadSite } from '#base/testing/bad-site.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { addLike } from '#like/contract.ts'
import { aMessage, talking } from '#message/testing/factories.ts'
import { NoPushAddress, PushFailed, PushOff, TooManyBrowsers } from '#notification/contract.ts'
import type { DeliveredKind } from '#notification/all-kinds.ts'
import * as contract from '#notification/push-contract.ts'
import { changeNotificationSetting, markAllNotifications, notificationSettings } from '#notification/notification-contract.ts'
import { membersMerged } from '#notification/server/notify.ts'
import { pushAll, sendTest } from '#notification/server/pushing.ts'
import { quietHoursEnd } from '#notification/server/schedule.ts'
import { changePreferences } from '#preferences/contract.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

type Ece = { decrypt(body: Buffer, how: { version: 'aes128gcm'; privateKey: unknown; authSecret: string }): Buffer }
const ece = createRequire(import.meta.url)('http_ece') as Ece

const forum = await aForum({ env: { TEAHOUSE_URL: 'https://tea.example.org' } })
const db = forum.database.app
const tagId = await aTag(forum.database)

type Received = { path: string; headers: Record<string, unknown>; body: Buffer }
let received: Received[] = []
let answers: Record<string, number> = {}
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
    response.writeHead(answers[request.url ?? ''] ?? 201).end()
  })
})
await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
afterAll(() => void service.close())
const { port } = service.address() as AddressInfo
const world: Network = {
  addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
  mayConnect: (ip, at) => ip === '127.0.0.1' && at === port,
}
/** Delivers to the stand-in, which has no certificate. */
const post: typeof postUntrusted = (address, options) =>
  postUntrusted(new URL(`http://${address.hostname}:${port}${address.pathname}`), { ...options, network: world })

class Browser {
  readonly endpoint: string
  readonly pair = createECDH('prime256v1')
  readonly p256dh = this.pair.generateKeys('base64url')
  readonly auth = randomBytes(16).toString('base64url')
  constructor(endpoint = `https://push.test/${randomBytes(9).toString('base64url')}`) {
    this.endpoint = endpoint
  }
  get address() {
    return { endpoint: this.endpoint, p256dh: this.p256dh, auth: this.auth }
  }
  get path(): string {
    return new URL(this.endpoint).pathname
  }
  shown(): { title: string; link: string; language: string }[] {
    const its = received.filter(({ path }) => path === this.path)
    return its.map(({ body }) =>
      JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: this.pair, authSecret: this.auth }).toString()),
    )
  }
}

let [mei, tom] = [] as unknown as [Person, Person]
let phone: Browser

beforeEach(async () => {
  received = []
  answers = {}
  ;[mei, tom] = [await forum.member(), await forum.member()]
  await db.updateTable('member').set({ language: 'en' }).where('id', '=', mei.id).execute()
  phone = new Browser()
  await mei.call(contract.subscribePush, phone.address)
})

const wants = (kind: DeliveredKind, push = true) => mei.call(changeNotificationSetting, { kind, push })
const browsers = async (who = mei) => (await who.call(notificationSettings, {})).push.browsers
const nextAt = async () =>
  (
    await db
      .selectFrom('notification_channel')
      .select('next_at')
      .where('member_id', '=', mei.id)
      .where('channel', '=', 'push')
      .executeTakeFirst()
  )?.next_at
async function itsTime(): Promise<void> {
  await sql`update notification_channel set rests_until = now(), next_at = case when next_at is not null then now() end`.execute(db)
  await pushAll(forum.database, post)
}

describe('a push message', () => {
  test('is the sentence and its link alone, once, so that the push service reads none of it', async () => {
    await wants('commented')
    const topicId = await aTopic(mei, tagId, { title: 'Oolong in spring' })
    const commentId = await aComment(tom, topicId, { body: says('A word of mine') })
    await tom.call(addLike, { kind: 'topic', id: topicId })
    await itsTime()
    await itsTime()
    const [notification, ...others] = phone.shown()
    expect([notification, others]).toEqual([
      { title: `${tom.account} commented on your topic`, link: expect.any(String), language: 'en' },
      [],
    ])
    expect(notification?.link).toMatch(new RegExp(`^/thread\\?topicId=${topicId}&commentId=${commentId}`))
    const { headers, body } = received[0] ?? {}
    expect(body?.includes(tom.account)).toBe(false)
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '14400' })
    const { publicKey } = (await mei.call(notificationSettings, {})).push
    const [, claims = '', key] = /^vapid t=[^.]+\.([^.]+)\.[^,]+, k=(.*)$/.exec(String(headers?.['authorization'])) ?? []
    expect(key).toBe(publicKey)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: 'https://push.test',
      sub: 'https://tea.example.org/',
    })
  })

  test('is a number and the list where there is more than one, in the language of its reader', async () => {
    await db.updateTable('member').set({ language: 'zh' }).where('id', '=', mei.id).execute()
    await wants('commented')
    await wants('liked')
    const topicId = await aTopic(mei, tagId)
    await aComment(tom, topicId)
    await tom.call(addLike, { kind: 'topic', id: topicId })
    await itsTime()
    expect(phone.shown()).toEqual([{ title: '2 条新动态', link: '/user/control/remindList', language: 'zh' }])
  })

  test('leaves out read, removed and inaccessible posts', async () => {
    await wants('commented')
    await aComment(tom, await aTopic(mei, tagId))
    await mei.call(markAllNotifications, {})
    const shut = await aTag(forum.database)
    const [removed, closed] = [await aTopic(mei, tagId), await aTopic(mei, shut)]
    for (const topicId of [removed, closed]) await aComment(tom, topicId)
    await mei.call(removeTopic, { topicId: removed })
    await db.updateTable('tag').set({ is_restricted: true }).where('id', '=', shut).execute()
    invalidateNow(forum.database, 'role')
    await itsTime()
    expect(received).toEqual([])
  })

  test('has no posts hidden from a member awaiting approval', async () => {
    await wants('commented')
    const inside = await aClosedTag(forum.database)
    for (const who of [mei, tom]) await inside.admit(who.id)
    await aComment(tom, await aTopic(mei, inside.tagId))
    await db.insertInto('registration_request').values({ member_id: mei.id }).execute()
    await itsTime()
    expect(received).toEqual([])
  })

  test('names the sender of a private message, and never its text', async () => {
    await talking(mei, tom)
    await wants('message')
    await aMessage(tom, mei, 'The key lies under the mat')
    await itsTime()
    const [notification] = phone.shown()
    expect(notification?.title).toContain(tom.account)
    expect(JSON.stringify(notification)).not.toContain('mat')
  })

  test('is sent only for chosen kinds', async () => {
    await aComment(tom, await aTopic(mei, tagId))
    await itsTime()
    expect(received).toEqual([])
  })
})

describe('a browser', () => {
  test('is forgotten when its push service has it no more, and stays when the service only fails', async () => {
    await wants('commented')
    const topicId = await aTopic(mei, tagId)
    answers[phone.path] = 503
    await aComment(tom, topicId)
    await itsTime()
    expect(await browsers()).toHaveLength(1)
    for (const status of [404, 410]) {
      await mei.call(contract.subscribePush, phone.address)
      answers[phone.path] = status
      await aComment(tom, topicId)
      await itsTime()
      expect(await browsers()).toEqual([])
    }
  })

  test('that fails for a week is given up', async () => {
    await wants('commented')
    answers[phone.path] = 500
    await sql`update push_subscription set failed_since = now() - interval '8 days' where member_id = ${mei.id}`.execute(db)
    await aComment(tom, await aTopic(mei, tagId))
    await itsTime()
    expect(await browsers()).toEqual([])
  })

  test('gets no more once its session has ended', async () => {
    await wants('commented')
    await aComment(tom, await aTopic(mei, tagId))
    await mei.call(logout, {})
    await itsTime()
    expect(received).toEqual([])
    expect(await db.selectFrom('push_subscription').select('id').where('member_id', '=', mei.id).execute()).toEqual([])
  })

  test('is listed by its name, replaced when it subscribes again, and ended by its owner only', async () => {
    const again = new Browser()
    await mei.call(contract.subscribePush, again.address)
    const [one, ...others] = await browsers()
    expect([one?.device, one?.isThis, one?.usedAt, others]).toEqual([null, true, null, []])
    expect(await tom.isRefused(contract.endPush, { browserId: one?.id ?? '' }, Missing)).toBe(true)
    await mei.call(contract.endPush, { browserId: one?.id ?? '' })
    expect(await browsers()).toEqual([])
  })

  test('that another member subscribes is theirs', async () => {
    await tom.call(contract.subscribePush, phone.address)
    expect(await browsers()).toEqual([])
    expect(await browsers(tom)).toHaveLength(1)
  })

  test('is sealed, and cannot be the eleventh', async () => {
    const { sealed } = await db.selectFrom('push_subscription').select('sealed').where('member_id', '=', mei.id).executeTakeFirstOrThrow()
    expect(sealed.includes('push.test')).toBe(false)
    await db.deleteFrom('push_subscription').where('member_id', '=', mei.id).execute()
    for (let one = 0; one < 10; one++)
      await sql`with its as (insert into session (member_id, ip, user_agent) values (${mei.id}, '127.0.0.1', '') returning id)
        insert into push_subscription (member_id, session_id, endpoint_hash, sealed, user_agent, host)
        select ${mei.id}, id, ${randomBytes(32)}, '', '', 'push.test' from its`.execute(db)
    expect(await mei.isRefused(contract.subscribePush, phone.address, TooManyBrowsers)).toBe(true)
  })

  test('has the address of a push service, and nothing inside', async () => {
    const bad = [
      'http://push.test/x',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://localhost/x',
      'https://localhost./x',
      'https://foo.localhost/x',
      'https://push.local./x',
      'https://push.internal/x',
      'https://push.home.arpa/x',
      'https://push/x',
      'https://push./x',
      'https://10.1/x',
      'https://0x7f.1/x',
      'https://2130706433/x',
      'https://1.1.1.1./x',
      'https://[::ffff:7f00:1]/x',
      'https://a:b@push.test/x',
      'https://push.test:8443/x',
      'x',
    ]
    for (const endpoint of bad)
      expect(await mei.isRefused(contract.subscribePush, { ...phone.address, endpoint }, NoPushAddress), endpoint).toBe(true)
    const noPoint = Buffer.alloc(65, 4).toString('base64url')
    expect(await mei.isRefused(contract.subscribePush, { ...phone.address, p256dh: noPoint }, NoPushAddress)).toBe(true)
    const inside: Network = { addressesOf: world.addressesOf, mayConnect: () => false }
    const refused = postUntrusted(new URL(phone.endpoint), { headers: {}, body: Buffer.of(1), network: inside })
    await expect(refused).rejects.toThrow('gives no answer')
  })

  test('shows a test when it subscribes, and says if that fails', async () => {
    const viewer = await memberHere(mei)
    const how = {
      inSeparateTransaction: <T>(action: Parameters<typeof transact<T>>[1]) => transact(forum.database, action),
      language: 'zh' as const,
      post,
    }
    await sendTest(db, viewer, how)
    expect(phone.shown()).toEqual([{ title: '推送正常，提醒会显示在这里', link: '/user/control/remindSettings', language: 'zh' }])
    answers[phone.path] = 410
    await expect(sendTest(db, viewer, how)).rejects.toMatchObject({ kind: PushFailed })
    expect(await mei.isRefused(contract.tryPush, {}, PushOff)).toBe(true)
  })

  test('goes with an account that becomes another’s', async () => {
    await transact(forum.database, (tx) => membersMerged(tx, { from: mei.id, into: tom.id }))
    expect([await browsers(mei), await browsers(tom)]).toEqual([[], []])
  })
})

test('a push service that never answers holds up its own alone', async () => {
  const bad = await aBadSite('says nothing')
  const unheard = new Set<string>()
  const toEach: typeof postUntrusted = (address, options) => {
    if (address.hostname !== 'push.bad.test') return post(address, options)
    unheard.add(address.pathname)
    const there = new URL(`http://push.bad.test:${bad.port}${address.pathname}`)
    return postUntrusted(there, { ...options, timeoutMs: 60_000, network: { ...world, mayConnect: () => true } })
  }
  const others = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
  for (const [n, one] of others.entries()) {
    await one.call(contract.subscribePush, new Browser(`https://push.bad.test/${n}`).address)
    await one.call(changeNotificationSetting, { kind: 'commented', push: true })
    await aComment(tom, await aTopic(one, tagId))
  }
  await wants('commented')
  await aComment(tom, await aTopic(mei, tagId))
  await sql`update notification_channel set rests_until = now(), next_at = now() - (member_id <> ${mei.id})::int * interval '1 minute'
    where next_at is not null`.execute(db)
  const pushing = pushAll(forum.database, toEach)
  await expect.poll(() => phone.shown().length).toBe(1)
  expect(unheard.size).toBeLessThan(others.length)
  bad.close()
  await pushing
  expect(unheard.size).toBe(others.length)
})

describe('quiet hours', () => {
  test('end on the clock of their day, also over midnight', () => {
    const zone = 'Asia/Shanghai'
    const at = (time: string) => Date.parse(`2026-11-23T${time}:00+08:00`)
    const night = { from: 22, to: 8 }
    expect(quietHoursEnd(night, zone, at('21:59'))).toBeNull()
    expect(quietHoursEnd(night, zone, at('22:00'))).toEqual(new Date('2026-11-24T08:00:00+08:00'))
    expect(quietHoursEnd(night, zone, at('07:59'))).toEqual(new Date('2026-11-23T08:00:00+08:00'))
    expect(quietHoursEnd(night, zone, at('08:00'))).toBeNull()
    expect(quietHoursEnd({ from: 12, to: 14 }, zone, at('13:30'))).toEqual(new Date('2026-11-23T14:00:00+08:00'))
    expect(quietHoursEnd({ from: 12, to: 14 }, zone, at('14:00'))).toBeNull()
  })

  test('hold notifications until they end, on the member’s own clock; without them they come', async () => {
    await wants('commented')
    const timeZone = 'America/Lima'
    await mei.call(changePreferences, { timeZone })
    const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(new Date()))
    const quiet = { from: hour, to: (hour + 3) % 24 }
    await mei.call(contract.changePush, { quiet })
    expect((await mei.call(notificationSettings, {})).push.quiet).toEqual(quiet)
    await aComment(tom, await aTopic(mei, tagId))
    await itsTime()
    expect(received).toEqual([])
    expect(await nextAt()).toEqual(quietHoursEnd(quiet, timeZone))
    await mei.call(contract.changePush, {})
    await itsTime()
    expect(phone.shown()).toHaveLength(1)
  })
})

test('visitors are refused', async () => {
  const visitor = forum.visitor()
  await visitor.fetchToken()
  expect(await visitor.isRefused(contract.subscribePush, phone.address, SignedOut)).toBe(true)
  expect(await visitor.isRefused(contract.endPush, { browserId: '1' }, SignedOut)).toBe(true)
  expect(await visitor.isRefused(contract.changePush, {}, SignedOut)).toBe(true)
  expect(await visitor.isRefused(contract.tryPush, {}, SignedOut)).toBe(true)
})

async function memberHere({ id }: Person): Promise<Member> {
  const { id: sessionId } = await db.selectFrom('session').select('id').where('member_id', '=', id).executeTakeFirstOrThrow()
  const member = await viewerOf(db, id)
  if (!member) throw new Error('Nobody is there')
  return { ...member, sessionId }
}
