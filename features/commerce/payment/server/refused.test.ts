import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#payment/contract.ts'
import { atMachine, tops, withSandbox } from '#payment/testing/factories.ts'
import { anIdNumber } from '#real-name/testing/factories.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let serial = 0

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  await withSandbox(forum, { maxTopUpCents: 500_000, maxTopUpCentsPerDay: 500_000, maxTopUpCentsOnFirstDay: 500_000 })
  mei = atMachine(await forum.member())
})

const run = async (text: string) => {
  await sql.raw(text).execute(forum.database.app)
  forum.database.invalidations.announce(new Set([`member:${mei.id}`]))
}

async function isOfAge(age: number): Promise<void> {
  const birthday = `${new Date().getUTCFullYear() - age}-01-01`
  const claim = { document: 'chineseId', name: '李雷', number: anIdNumber(birthday.replaceAll('-', ''), ++serial), birthday } as const
  await transact(forum.database, (tx) => realName.store(tx, mei.id, claim, 'test'))
}

type Case = {
  happens: () => Promise<unknown>
  wants?: Record<string, unknown>
  status?: number
  /** Empty if the refusal has no field. */
  field: string
  says: [en: RegExp, zh: RegExp]
  /** The form's reason, shown before an attempt. */
  closedBy?: string | null
  after?: () => Promise<unknown>
}

const cases: Record<string, Case> = {
  'is banned from money': {
    happens: () => run(`insert into member_ban (member_id, function, reason, given_by) values (${mei.id}, 'money', 'Fraud', ${chief.id})`),
    field: 'role',
    says: [/Fraud/, /Fraud/],
    closedBy: 'ban',
  },
  'waits for approval': {
    happens: () => run(`insert into registration_request (member_id) values (${mei.id})`),
    status: 403,
    field: '',
    says: [/approved|let you in|wait/i, /审核|批准/],
    closedBy: 'approval',
  },
  'finds the books frozen': {
    happens: () => chief.call(freezeBooks, { reason: 'A look' }),
    field: 'wallet',
    says: [/books are being checked/, /账目正在核对/],
    closedBy: 'frozenBooks',
    after: () => chief.call(thawBooks, { reason: 'Done' }),
  },
  'finds that the site has no balance any more': {
    happens: () => withSandbox(forum, { allowCash: false }),
    field: 'setting',
    closedBy: 'missing',
    says: [/off|closed|available/i, /关闭|停用|开放/],
  },
  'finds the provider switched off': {
    happens: () => withSandbox(forum, { paymentProviders: [] }),
    field: 'way',
    says: [/isn’t available/, /不可用/],
    closedBy: null,
  },
  'wants a method that is for no device': {
    happens: async () => undefined,
    wants: { method: 'inApp' },
    field: 'way',
    says: [/isn’t available/, /不可用/],
    closedBy: null,
  },
  'is under eight': {
    happens: () => isOfAge(7),
    field: 'amount',
    says: [/At your age, you can’t top up/, /按你的年龄，不能充值/],
    closedBy: 'age',
  },
  'is a child': {
    happens: () => isOfAge(8),
    wants: { amount: '50.01' },
    field: 'amount',
    says: [/At your age.*¥50\.00/, /按你的年龄.*¥50\.00/],
    closedBy: null,
  },
  'has reached the limit of the day': {
    happens: () => tops(mei, '4999.50'),
    field: 'amount',
    says: [/¥0\.50 more today/, /今天还可以充值 ¥0\.50/],
    closedBy: 'dailyLimit',
  },
}

test.each(Object.entries(cases))('a member who %s cannot top up, and reads why in their language', async (_, its) => {
  await its.happens()
  for (const [place, language] of (['en', 'zh'] as const).entries()) {
    const who = Object.assign(mei, { language })
    const { status, error, response } = await tops(who, its.wants?.['amount'] ?? '5', its.wants)
    expect.soft(status).toBe(its.status ?? 422)
    expect.soft(error[its.field] ?? response.json().message).toMatch(its.says[place] ?? /^$/)
  }
  const form = await mei.tryCall(contract.paymentForm, {})
  expect(form.status === 200 ? form.body.closedBy : 'missing').toBe(its.closedBy ?? null)
  const { rows } = await mei.call(contract.paymentList, {})
  expect(rows.filter(({ amount }) => amount !== '4999.50')).toEqual([])
  await its.after?.()
})

test('too many that are open are refused, and one that is cancelled makes room', async () => {
  const { number } = (await tops(mei, '5')).body
  await sql`insert into payment_order (number, member_id, provider, method, cents, expires_at)
    select '20260101' || lpad((member_id * 100 + place)::text, 12, '0'), member_id, provider, method, cents, expires_at
    from payment_order, generate_series(1, 9) as place where number = ${number}`.execute(forum.database.app)
  expect(await tops(mei, '5')).toMatchObject({ status: 409, error: { payment: expect.stringMatching(/Finish or cancel/) } })
  await mei.call(contract.cancelPayment, { number })
  expect((await tops(mei, '5')).status).toBe(200)
})

test('the sandbox takes no payment from a visitor under a public host name', async () => {
  const tryFrom = (host: string) =>
    mei.tryCall(contract.topUp, { amount: '5', provider: 'sandbox', method: 'page' } as never, {
      host,
      'idempotency-key': `a-key-for-${host.replaceAll('.', '-')}`,
    })
  expect(await tryFrom('tea.example.org')).toMatchObject({ status: 422, error: { way: expect.stringMatching(/isn’t available/) } })
  expect((await tryFrom('192.168.1.20')).status).toBe(422)
  expect((await tryFrom('tea.localhost')).status).toBe(200)
  expect((await mei.call(contract.paymentForm, {})).open).toHaveLength(1)
})

test('in WeChat’s own browser no other provider is offered', async () => {
  await transact(forum.database, (tx) => setting.changeSealed(tx, 'wechatPayAppSecret', 'a'.repeat(32), 'test'))
  await withSandbox(forum, { paymentProviders: ['alipay', 'wechat', 'stripe'] })
  const ways = async (isInWeChat: boolean) =>
    (await mei.call(contract.paymentForm, { isPhone: true, isInWeChat })).ways.map(({ provider, method }) => `${provider} ${method}`)
  expect(await ways(true)).toEqual(['wechat inApp'])
  expect(await ways(false)).toEqual(['alipay phone', 'wechat phone', 'stripe page'])
})
