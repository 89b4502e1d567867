import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { settingProblems } from '#apps/server/setting-problems.ts'
import { readConfig } from '#base/server/config.ts'
import { transact } from '#base/server/database/database.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { freshDatabase, testKey, invalidateNow } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { send } from '#delivery/server/delivery.ts'
import { baseInfo, type Settings } from '#setting/contract.ts'
import { allSettings, changeSettings, listSettings, returnSetting } from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ isOneServer: true })
const db = forum.database.app
const chief = await aStaffer(forum)
const tool = (...args: string[]) =>
  runCommand(args, readConfig({ DATABASE_URL: forum.ownerUrl, TEAHOUSE_DATA: forum.dataDir, TEAHOUSE_KEY: testKey }))

beforeEach(async () => {
  await db.deleteFrom('setting').execute()
  invalidateNow(forum.database, 'setting')
})

type SettingValues = Readonly<Record<string, string | number | boolean | string[]>>
/** Choices, the settings each requires, and values that satisfy it. */
const choices: readonly (readonly [choice: SettingValues, needed: readonly string[], enough: SettingValues])[] = [
  [{ emailProvider: 'smtp' }, ['smtpHost', 'emailFrom'], { smtpHost: 'mail.example.org', emailFrom: 'tea@example.org' }],
  [
    { emailProvider: 'smtp', smtpHost: 'mail.example.org', emailFrom: 'tea@example.org', smtpUser: 'tea' },
    ['smtpPassword'],
    { smtpPassword: 'a pot' },
  ],
  [
    { emailProvider: 'smtp', smtpHost: 'mail.example.org', emailFrom: 'tea@example.org', dkimSelector: 'tea' },
    ['dkimKey'],
    { dkimKey: 'a key' },
  ],
  [{ smsProvider: 'webhook' }, ['smsWebhookUrl', 'smsSecret'], { smsWebhookUrl: 'https://sms.example.org/', smsSecret: 'leaf' }],
  [
    { smsProvider: 'aliyun' },
    ['smsKeyId', 'smsSecret', 'smsSign', 'smsCodeTemplateZh'],
    { smsKeyId: 'id', smsSecret: 'leaf', smsSign: '茶馆', smsCodeTemplateZh: 'SMS_1' },
  ],
  [
    { smsProvider: 'tencent' },
    ['smsKeyId', 'smsSecret', 'smsAppId', 'smsSign', 'smsCodeTemplateZh'],
    { smsKeyId: 'id', smsSecret: 'leaf', smsAppId: '14', smsSign: '茶馆', smsCodeTemplateZh: '1' },
  ],
  [
    { realNameProvider: 'webhook' },
    ['realNameWebhookUrl', 'realNameSecret'],
    { realNameWebhookUrl: 'https://check.example.org/', realNameSecret: 'leaf' },
  ],
  [{ realNameProvider: 'aliyun' }, ['realNameKeyId', 'realNameSecret'], { realNameKeyId: 'id', realNameSecret: 'leaf' }],
]

describe('a chosen provider has its required settings', () => {
  test.each(choices)('%o', async (choice, needed, enough) => {
    const { status, error } = await chief.tryCall(changeSettings, choice)
    expect([status, Object.keys(error).toSorted()]).toEqual([422, needed.toSorted()])
    expect(await db.selectFrom('setting').select('name').execute()).toEqual([])
    await chief.call(changeSettings, { ...choice, ...enough })
    for (const name of needed) {
      const lacking = (await chief.tryCall(returnSetting, { name })).error
      expect([name, Object.keys(lacking)]).toEqual([name, [name]])
    }
    expect(await settingProblems(db)).toEqual([])
  })

  test('in the languages that the site offers', async () => {
    const english = {
      languages: 'en_US',
      defaultLanguage: 'en_US',
      smsProvider: 'aliyun',
      smsKeyId: 'id',
      smsSecret: 'leaf',
      smsSign: 'Tea',
    }
    expect(Object.keys((await chief.tryCall(changeSettings, english)).error)).toEqual(['smsCodeTemplateEn'])
    await chief.call(changeSettings, { ...english, smsCodeTemplateEn: 'SMS_2' })
    // The setting required for Chinese is on another page, so the site must offer it first.
    await chief.call(changeSettings, { languages: 'en_US\nzh_CN' })
    expect(await settingProblems(db)).toEqual([expect.stringContaining('smsCodeTemplateZh')])
  })

  test('and an unchanged old choice is not refused', async () => {
    await transact(forum.database, (tx) => applySettings(tx, { emailProvider: 'smtp' }))
    await chief.call(changeSettings, { emailProvider: 'smtp', smtpHost: '', emailFrom: '', emailsPerDay: 10 })
    expect(await settingProblems(db)).toHaveLength(2)
  })
})

test('the limits of one thing are in order', async () => {
  const wrong = {
    minBountyPoints: 20,
    maxBountyPoints: 10,
    minBountyDays: 9,
    maxBountyDays: 8,
    minTopUpCents: 2,
    maxTopUpCents: 1,
  }
  expect(Object.keys((await chief.tryCall(changeSettings, wrong)).error).toSorted()).toEqual([
    'minBountyDays',
    'minBountyPoints',
    'minTopUpCents',
  ])
  await chief.call(changeSettings, { minBountyPoints: 20, maxBountyPoints: 0 })
})

test('an outbox is taken where this machine alone leads here, and complained of anywhere else', async () => {
  const here = { host: 'localhost', port: 3000, publicUrl: null, trustProxy: [] }
  onTestFinished(() => setSiteAddress(here))
  await chief.call(changeSettings, { emailProvider: 'outbox', smsProvider: 'outbox' })
  expect((await chief.call(listSettings, {})).unsent).toEqual([])
  expect(await settingProblems(db)).toEqual([])
  setSiteAddress({ ...here, publicUrl: 'https://tea.example.org' })
  expect(await settingProblems(db)).toEqual([expect.stringContaining('emailProvider'), expect.stringContaining('smsProvider')])
})

test('the sandbox is taken where this machine alone leads here, and offers nothing anywhere else', async () => {
  const here = { host: 'localhost', port: 3000, publicUrl: null, trustProxy: [] }
  onTestFinished(() => setSiteAddress(here))
  const topUps = async () => (await forum.visitor().call(baseInfo, {})).open.topUps
  await chief.call(changeSettings, { paymentProviders: 'sandbox' })
  expect(await topUps()).toBe(false)
  await chief.call(changeSettings, { allowCash: true })
  expect(await topUps()).toBe(true)
  setSiteAddress({ ...here, publicUrl: 'https://tea.example.org' })
  expect(await topUps()).toBe(false)
  expect(await settingProblems(db)).toEqual([expect.stringContaining('paymentProviders')])
})

test('amounts to top up are whole numbers, one on each line', async () => {
  await chief.call(changeSettings, { topUpAmounts: '5\n 12 \n' })
  const { settings } = await chief.call(listSettings, {})
  expect(settings.find(({ name }) => name === 'topUpAmounts')?.value).toEqual(['5', '12'])
  for (const wrong of ['5\n1.5', '0', 'ten', '1000000'])
    expect((await chief.tryCall(changeSettings, { topUpAmounts: wrong })).error).toEqual({
      topUpAmounts: 'Enter whole yuan, one amount per line, for example 50.',
    })
})

test('text messages that posting needs stay set', async () => {
  const webhook = { smsProvider: 'webhook', smsWebhookUrl: 'https://tea.example.org/', smsSecret: 'a-secret' } as const
  await chief.call(changeSettings, webhook)
  await chief.call(changeSettings, { realNameForPosting: 'phone' })
  expect(Object.keys((await chief.tryCall(changeSettings, { smsProvider: 'none' })).error)).toEqual(['smsProvider'])
  await chief.call(changeSettings, { realNameForPosting: 'nobody' })
  await chief.call(changeSettings, { smsProvider: 'none' })
  expect((await chief.call(listSettings, {})).unsent).toEqual(['email', 'sms'])
})

/** Combinations that the page refuses, with the field of the error. */
const refusedTogether: readonly (readonly [name: string, value: string, field: string])[] = [
  ['languages', '["en_US"]', 'defaultLanguage'],
  ['fileStorageSystem', '20', 'fileStorageSystem'],
  ['realNameForPosting', 'identity', 'realNameForPosting'],
  ['realNameForPosting', 'phone', 'realNameForPosting'],
  ['emailProvider', 'smtp', 'smtpHost'],
  ['smsProvider', 'webhook', 'smsWebhookUrl'],
  ['realNameProvider', 'webhook', 'realNameSecret'],
  ['maxBountyPoints', '5', 'minBountyPoints'],
]

test.each(refusedTogether)('the operator’s tool refuses %s %s as the page does', async (name, value, field) => {
  const { error } = await chief.tryCall(changeSettings, { [name]: name === 'languages' ? 'en_US' : value })
  await expect(tool('setting', 'set', name, value)).rejects.toThrow(`${field}: ${error[field]}`)
  expect(await db.selectFrom('setting').select('name').execute()).toEqual([])
})

test.each([
  ['timeZone', 'Mars', 'Enter a time zone name'],
  ['mainColour', 'red', 'Enter the color as #'],
  ['smtpHost', 'a b', 'text of the form ^['],
])('the tool says of %s which values are valid', async (name, value, words) => {
  await expect(tool('setting', 'set', name, value)).rejects.toThrow(words)
})

describe('a forum with stored settings that became invalid', () => {
  const garbage = [null, {}, [], 'nothing like it ~', -1, 1e300, [{}], { sealed: 'AAAA' }]
  const log = pino({ level: 'silent' })

  test.each(garbage.map((one) => [JSON.stringify(one)]))('each to %s, starts, says so and uses the defaults', async (value) => {
    const rows = Object.keys(allSettings).map((name) => ({ name, value, changed_by: 'somebody' }))
    await db.insertInto('setting').values(rows).execute()
    invalidateNow(forum.database, 'setting')
    const app = await openApp({
      config: { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: forum.dataDir }) },
      database: forum.database,
      log,
    })
    try {
      const { settings } = await chief.call(listSettings, {})
      const unreadable = await setting.invalidSettings(db)
      expect(unreadable).toContain('topicsPerPage')
      for (const one of settings.filter(({ name }) => unreadable.some((other) => other === name))) expect(one.value).toEqual(one.default)
      const problems = (await settingProblems(db)).join('\n')
      expect(problems).toContain('npm run teahouse -- setting set topicsPerPage VALUE')
      expect(await tool('setting', 'list')).toMatch(/^! topicsPerPage +30$/m)
      expect(await chief.call(baseInfo, {})).toMatchObject({ fileStorageSystem: 0 })
      expect(await tool('setting', 'set', 'topicsPerPage', '12')).toBe('topicsPerPage is 12 now.')
      expect(await setting.invalidSettings(db)).not.toContain('topicsPerPage')
    } finally {
      await app.close()
    }
  })

  test('keeps sending through providers with valid keys', async () => {
    await transact(forum.database, async (tx) => {
      const provider = {
        emailProvider: 'outbox',
        smsProvider: 'webhook',
        smsWebhookUrl: 'http://127.0.0.1:9/',
        smsCountries: ['86 100'],
      } satisfies Partial<Settings>
      await applySettings(tx, provider)
      await tx
        .insertInto('setting')
        .values({ name: 'smsSecret', value: 'true', sealed: Buffer.from('no box'), changed_by: 'somebody' })
        .execute()
      const code = { template: 'code', values: { code: '123456', minutes: '10' }, language: 'en' } as const
      await send(tx, { effectKey: 'by text', channel: 'sms', to: '+8613800000000', ...code })
      await send(tx, { effectKey: 'by mail', channel: 'email', to: 'mei@example.com', ...code })
    })
    await sendAll({ database: forum.database, log })
    const rows = await db.selectFrom('delivery').select(['channel', 'state']).orderBy('id').execute()
    expect(rows).toEqual([
      { channel: 'sms', state: 'waiting' },
      { channel: 'email', state: 'unsent' },
    ])
  })

  test('without a place for files, is told the command that repairs it, which works', async () => {
    await transact(forum.database, (tx) => applySettings(tx, { fileStorageSystem: 20 }))
    const config = readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: forum.dataDir })
    await expect(openApp({ config, database: forum.database, log })).rejects.toThrow('npm run teahouse -- setting set fileStorageSystem 0')
    expect(await tool('setting', 'set', 'fileStorageSystem', '0')).toBe('fileStorageSystem is 0 now.')
    invalidateNow(forum.database, 'setting')
    await (await openApp({ config, database: forum.database, log })).close()
  })
})

test('a restored forum reports at once the settings that do not fit here', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const restores = (...args: string[]) =>
    runCommand(args, readConfig({ DATABASE_URL: ownerUrl, TEAHOUSE_DATA: forum.dataDir, TEAHOUSE_KEY: testKey }))
  await transact(database, (tx) => applySettings(tx, { fileStorageSystem: 20 }))
  const folder = join(forum.dataDir, 'a-backup')
  await restores('backup', folder)
  expect(readdirSync(folder)).not.toEqual([])
  await database.close()
  const output = await restores('restore', folder, '--yes')
  expect(output).toContain('The setting fileStorageSystem does not fit')
  await close().catch(() => undefined)
})

test.each([
  ['alipaySellerId', '12', /2088/],
  ['wechatPayAppId', 'gh_1234567890ab', /wx/],
  ['wechatPayPublicKeyId', '123', /PUB_KEY_ID_/],
  ['wechatPayV3Key', 'short', /32/],
  ['stripeKey', 'pk_live_0123456789abcdef', /sk_live_.*pk_/],
  ['stripeWebhookSecret', 'we_0123456789abcdef', /whsec_/],
])('%s of another form gets a description of the right one', async (name, value, says) => {
  for (const language of ['en', 'zh'] as const) {
    const { status, error } = await Object.assign(chief, { language }).tryCall(changeSettings, { [name]: value })
    expect([status, error[name]]).toEqual([422, expect.stringMatching(says)])
  }
  Object.assign(chief, { language: 'en' })
})

describe('a key of a payment provider', () => {
  const certificate = (body: readonly string[]) =>
    `-----BEGIN CERTIFICATE-----\n${body.join('').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  // One certificate that is valid for a hundred years, and one that has expired.
  const lasting = certificate([
    'MIIDCTCCAfGgAwIBAgIUcS4/PyIKVrBzT0qB9+9T7V81JckwDQYJKoZIhvcNAQELBQAwEzERMA8GA1UEAwwITWVyY2hhbnQwIBcNMjYxMTI3MDQ0MTA0WhgP',
    'MjEyNjExMDMwNDQxMDRaMBMxETAPBgNVBAMMCE1lcmNoYW50MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA66MrBjLssCCJhz3pgM1tXCNYsxQd',
    'E35hHRBfzAqkDU2+v39DgizESH+SKB6eC0inwa4mc26JOHdNlCCzC29g2NROAzIn7zbTaqVjX5AIr9YMo8Q0kX7Wx7xfZDZ5ACbUjwpGVvhVgNoIRjhtzSVn',
    'vVzhbbvzG0hb+uyULaUaeHAkuRFGzUQJL6p3yCPx55h+r8GVwIK8xYrduA77YHTG31FCMjiFbVaWoT56CM6m/0YFVVDnTaRaBofu/LSYfALaJ+qj/UCqmkgp',
    'S0R7hxnNV+FzIKPaOqTelUsoIC8zxFs0Vgmlu1poe2Yxmvc4wZexS0iHTv8KQy1hOGFTl/OvmwIDAQABo1MwUTAdBgNVHQ4EFgQUXR7f5DeJ6xX6zSn05GZ0',
    'ezW/d7QwHwYDVR0jBBgwFoAUXR7f5DeJ6xX6zSn05GZ0ezW/d7QwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAsTeSLBDPlLn3kw73JsbB',
    'bCp3ggGTuJwfqi/E43CmG+kwv0aVwg3UQQCfd8Psh1QblEUxKM4k+ZuNtA7quW9Joe5JKJDUZsGqdX4F+eTZUrR6aRaHSyf7U0fQDMOzOM81I6kuRDE18P7F',
    'LWIG6+GYp51VU6ID5OJO4HSboTbXQEFfq50AWLRddnooiLrq+9gOdqdMT0sVtaBR1yU99k0sT5AvC7KdtpM5RLp71ns4iXmADexIJJA/7dKx+8dkkuq9Ab/S',
    'LtIvtPoLBTqesY3gr//IYWJMZe+LyT773DXjg5B6qxw/zpjIcI0nyWKzH3MwnwHOuWXBE1OtNNLcYDNGEw==',
  ])
  const overdue = certificate([
    'MIICrTCCAZUCFEVh+Rn8Z2nmhlsW8LeV+cdqlVhgMA0GCSqGSIb3DQEBCwUAMBMxETAPBgNVBAMMCE1lcmNoYW50MB4XDTI2MTEyNzA0NDExNloXDTI2MTEy',
    'NjA0NDExNlowEzERMA8GA1UEAwwITWVyY2hhbnQwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDE4J7VJINExh987LHaFqQg0E1eajUm+N6DATaH',
    'q5Wyz3FQtuCeATPoEK2bTVOuKXu/sm0RasQ0a2u6n1evtZFhnVYGIxCW3edJKI73feP6Q35WQBCdM9/tSxCPEgkok8R425JzZOYUa/QskBJYhhVRhKfNcOu/',
    'iYH9WmKzQA+y5ai8EryVL8dOn0QmZjDgiJgfb7+EHEv0nMJiNs9D5j9TorGuEioyCH8V8GlFfTAEGw3xdGVr8KaPOV988aeJfyzOXmumYk+p0grBw0oOgtdW',
    'yx8NGCSUAX3badzOwLOhFyPb23n5s3iHE4VanqRG21pNHNzzDfHr/KseRtnGBMrrAgMBAAEwDQYJKoZIhvcNAQELBQADggEBAChUvHLlKRq/1/eIUZ1i1nWd',
    'n9QhiqVLYHS7wiQSYq7eqcyY/Kxug5OAYThWDLLpU6vH9YDz5bpTC9pRg9AfKjHoo2vg/3Xqr/OsdywSKGpYVrmMA+XT6Xcuf/mPyQlVvIV1ZAsrE6VVFuAO',
    'AKAAMeESDD4ZF8WPyehOdiMTmfbG4AsfztlOUJAwf2Vqke5TigAGprGXeleo3rcJIQqI5Pxwldrv84VeEUu+sv7R5Sc4FZQKyKaZ06gzbmkMBpdiddavI6Qj',
    'eNNf0ldD/6hII6YtaiEu8jbgTMLOZ8PZVhyG2N+9TP7T/dwmqK9TmMU4aKs/1bBkntxPN7tlySXIGR4=',
  ])
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'spki') => key.export({ format: 'pem', type } as never).toString()
  const line = (text: string) => text.replace(/-----[^-]*-----|\n/g, '')
  const [open, secret] = [pem(publicKey, 'spki'), pem(privateKey, 'pkcs8')]
  const [openOld, secretOld] = [pem(publicKey, 'pkcs1'), pem(privateKey, 'pkcs1')]
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  test.each([
    ['alipayPublicKey', open, [open, line(open), openOld, line(openOld), open.replaceAll('\n', '\\n'), `  ${open}\n`]],
    ['wechatPayPublicKey', open, [open, line(open)]],
    ['alipayKey', secret, [secret, line(secret), secretOld, line(secretOld)]],
    ['wechatPayKey', secret, [secret, line(secret), secretOld, secret.replaceAll('\n', ' ')]],
  ] as const)('%s is kept as PEM, however it was copied', async (name, expected, copies) => {
    const others = name === 'wechatPayPublicKey' ? { wechatPayPublicKeyId: 'PUB_KEY_ID_1' } : {}
    for (const copy of copies) {
      await chief.call(changeSettings, { [name]: copy, ...others })
      const now = name.endsWith('PublicKey')
        ? (await setting.stored(db))[name as 'alipayPublicKey']
        : await setting.unsealed(db, name as 'alipayKey')
      expect(now).toBe(expected)
    }
  })

  test.each([
    ['alipayPublicKey', ['a key', secret, line(secretOld), pem(elliptic.publicKey, 'spki'), open.slice(0, 90)]],
    ['alipayKey', ['a key', open, pem(elliptic.privateKey, 'pkcs8'), secret.slice(0, 300)]],
    ['wechatPayKey', ['a key', line(open)]],
    ['wechatPayCertificate', ['a certificate', open, secret, overdue]],
    ['alipaySellerId', ['2088', '1088123456789012', '20881234567890123']],
  ] as const)('%s is refused beside the field if it is invalid', async (name, wrong) => {
    for (const value of wrong) {
      const { status, error } = await chief.tryCall(changeSettings, { [name]: value })
      expect([value, status, Object.keys(error)]).toEqual([value, expect.any(Number), [name]])
      expect(status).not.toBe(200)
    }
    expect(await db.selectFrom('setting').select('name').execute()).toEqual([])
  })

  test('a certificate that has not ended is taken', async () => {
    await chief.call(changeSettings, { wechatPayCertificate: lasting, alipaySellerId: '2088123456789012' })
    expect((await setting.stored(db)).wechatPayCertificate).toBe(lasting)
  })
})
