import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { normalizeEmail } from '#base/email-address.ts'
import { transact } from '#base/server/database/database.ts'
import * as contract from '#delivery/contract.ts'
import { deliveryList } from '#delivery/log-contract.ts'
import { testTemplate } from '#delivery/template-contract.ts'
import { send } from '#delivery/server/delivery.ts'
import { aCode, aMailServer, aSendingForum, partOf } from '#delivery/testing/factories.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const { forum, db, mail, ground, set, seal, order, states, itsTime } = await aSendingForum()
const chief = await aStaffer(forum)

describe('an e-mail', () => {
  test('is sent once for each action, in the language of its reader, as text and as HTML', async () => {
    await order({ effectKey: 'one action' })
    await order({ effectKey: 'one action' })
    await order({ language: 'zh', to: 'tom@example.com' })
    await sendAll(ground)
    await sendAll(ground)
    expect(mail.received.map(({ from, to }) => [from, ...to]).toSorted()).toEqual([
      ['tea@example.org', 'mei@example.com'],
      ['tea@example.org', 'tom@example.com'],
    ])
    const raw = mail.received.find(({ to }) => to.includes('mei@example.com'))?.raw ?? Buffer.of()
    expect(partOf(raw, 'text/plain')).toContain('is 123456. It’s valid for 10 minutes')
    expect(partOf(raw, 'text/html')).toContain('<html lang="en">')
    expect(raw.toString()).toMatch(/^Auto-Submitted: auto-generated/m)
    expect(partOf(mail.received.find(({ to }) => to.includes('tom@example.com'))?.raw ?? Buffer.of(), 'text/plain')).toContain(
      '验证码是 123456',
    )
  })

  test('goes to every address that the standards have', async () => {
    const all = ["tea'n'cup@example.com", '!#$%&*/=?^`{|}~@example.com', 'mei@xn--bcher-kva.example', '用户@xn--fsqu00a.xn--0zwm56d']
    for (const to of all) await order({ to })
    await sendAll(ground)
    expect(mail.received.flatMap(({ to }) => to.map(normalizeEmail)).sort()).toEqual(all.toSorted())
    await expect(order({ to: 'mei@bücher.example' })).rejects.toThrow('delivery.wrongEmail')
  })

  test('of a rolled-back action is not sent', async () => {
    const fails = transact(forum.database, async (tx) => {
      await send(tx, { effectKey: 'never', ...aCode })
      throw new Error('No')
    })
    await expect(fails).rejects.toThrow('No')
    await sendAll(ground)
    expect(mail.received).toEqual([])
  })

  test('is sent once by many senders at once', async () => {
    for (let n = 0; n < 20; n++) await order({ to: `guest${n}@example.com` })
    await Promise.all([sendAll(ground), sendAll(ground), sendAll(ground)])
    expect(new Set(mail.received.flatMap(({ to }) => to)).size).toBe(20)
    expect(mail.received).toHaveLength(20)
  })

  test('is signed, so that its receiver can verify the sender', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await set({ dkimSelector: 'tea' })
    await seal('dkimKey', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    await order()
    await sendAll(ground)
    const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const names: string[] = []
    const resolver = async (name: string) => {
      names.push(name)
      return [[`v=DKIM1; k=rsa; p=${p}`]]
    }
    const verdict = await dkimVerify(mail.received[0]?.raw ?? Buffer.of(), { resolver })
    expect(verdict.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([['pass', 'example.org']])
    expect(names).toContain('tea._domainkey.example.org')
  })

  test('has no line, tag or remote part from filled-in values', async () => {
    await set({ title: 'Tea <img src=https://spy.example/x> & "co"' })
    await order({ values: { code: '1\r\nBcc: thief@example.com\r\n\r\nHello', minutes: '<b>10</b>' } })
    await sendAll(ground)
    const [{ raw, to } = { raw: Buffer.of(), to: [] }] = mail.received
    expect(to).toEqual(['mei@example.com'])
    expect(raw.toString().split('\r\n\r\n')[0]).not.toMatch(/^(Bcc|Hello)/im)
    const html = partOf(raw, 'text/html')
    expect(html).not.toMatch(/<img|<b>|<script|src="|href="/)
    expect(html).toContain('&lt;img')
  })

  test.each([
    'mei@example.com\r\nBcc: thief@example.com',
    'mei',
    'a@b',
    'mei@example.com, tom@example.com',
    '<mei@example.com>',
    'mei @example.com',
    '"a b"@example.com',
    `${'x'.repeat(190)}@example.com`,
  ])('to %j is refused', async (to) => {
    await expect(order({ to })).rejects.toThrow('delivery.wrongEmail')
  })
})

describe('an e-mail that is not delivered at once', () => {
  test('is marked as refused for good, and tried no more; one refused for now is tried later', async () => {
    await order({ to: 'gone@example.com' })
    await order({ to: 'busy@example.com' })
    await sendAll(ground)
    expect(await states()).toEqual(['refused', 'waiting'])
    await itsTime()
    await sendAll(ground)
    const rows = await db.selectFrom('delivery').select(['tries', 'error', 'next_at', 'content']).orderBy('id').execute()
    expect(rows.map(({ tries }) => tries)).toEqual([1, 2])
    expect(rows.map(({ content }) => content === null)).toEqual([true, false])
    expect(rows.every(({ error }) => error?.includes('Not here'))).toBe(true)
  })

  test('waits longer after each try, and is given up when it says nothing of use any more', async () => {
    await set({ smtpPort: 1 })
    await order()
    const waits = []
    for (let n = 0; n < 4; n++) {
      await itsTime()
      await sendAll(ground)
      const { rows } = await sql<{ seconds: number }>`select extract(epoch from next_at - now())::int as seconds from delivery`.execute(db)
      waits.push(rows[0]?.seconds ?? 0)
    }
    expect(waits.toSorted((one, other) => one - other)).toEqual(waits)
    expect((waits[3] ?? 0) > 20 * (waits[0] ?? 0)).toBe(true)
    await itsTime()
    await db
      .updateTable('delivery')
      .set({ useless_at: sql`now()` })
      .execute()
    await sendAll(ground)
    expect(await states()).toEqual(['failed'])
  })

  test('is taken up by another sender if the first died while sending', async () => {
    await order()
    await db
      .updateTable('delivery')
      .set({ tries: 1, next_at: sql`now() + interval '5 minutes'` })
      .execute()
    await sendAll(ground)
    expect(mail.received).toEqual([])
    await itsTime()
    await sendAll(ground)
    expect(await states()).toEqual(['sent'])
  })

  test('goes to a server with a password, which is nowhere in clear', async () => {
    await set({ smtpUser: 'tea' })
    await seal('smtpPassword', 'a-pot-of-tea')
    await order()
    await sendAll(ground)
    expect(mail.received.map(({ user }) => user)).toEqual(['tea'])
    await seal('smtpPassword', 'wrong')
    await order()
    await sendAll(ground)
    expect(await states()).toEqual(['sent', 'waiting'])
    const rows = await Promise.all([db.selectFrom('delivery').selectAll().execute(), db.selectFrom('setting').selectAll().execute()])
    expect(JSON.stringify(rows)).not.toMatch(/a-pot-of-tea|mei@example/)
  })

  test('does not go to a server without a valid certificate', async () => {
    const other = await aMailServer({ secure: true })
    await set({ smtpSecurity: 'tls', smtpPort: other.port })
    await order()
    await sendAll(ground)
    expect([await states(), other.received]).toEqual([['waiting'], []])
    await set({ smtpSecurity: 'startTls', smtpPort: mail.port })
    await itsTime()
    await sendAll(ground)
    expect([await states(), mail.received]).toEqual([['waiting'], []])
    await other.close()
  })
})

test('with half-made settings says so, and holds no other channel back', async () => {
  await set({ smsProvider: 'webhook', smsWebhookUrl: '' })
  await order({ channel: 'sms', to: '+8613800000000' })
  await order()
  await sendAll(ground)
  expect(await states()).toEqual(['waiting', 'sent'])
  await set({ smtpHost: '' })
  await order()
  await sendAll(ground)
  const errors = (await db.selectFrom('delivery').select('error').orderBy('id').execute()).map(({ error }) => error)
  expect(errors).toEqual([expect.stringContaining('URL'), null, 'No mail server or no sender is set'])
})

describe('ceilings', () => {
  test('of a day hold for a thousand messages at once, and messages beyond them are refused', async () => {
    await set({ emailsPerDay: 7 })
    const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, () => order()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    expect(await states()).toHaveLength(7)
    await expect(order()).rejects.toThrow('delivery.tooManySent')
    const { ceilings } = await chief.call(contract.deliveryBoard, {})
    expect(ceilings).toContainEqual({ channel: 'email', country: null, use: 'codes', used: 7, most: 7 })
  })

  test('are reached by codes and not by security alerts, of which one account has twenty', async () => {
    await set({ emailsPerDay: 25 })
    const tell = (memberId: string) => order({ use: 'safety', memberId })
    for (let n = 0; n < 25; n++) await order()
    await expect(order()).rejects.toThrow('delivery.tooManySent')
    for (let n = 0; n < 20; n++) await tell('1')
    await expect(tell('1')).rejects.toThrow('delivery.tooManySent')
    for (let n = 0; n < 5; n++) await tell('2')
    await expect(tell('3')).rejects.toThrow('delivery.tooManySent')
    const { ceilings } = await chief.call(contract.deliveryBoard, {})
    expect(ceilings).toContainEqual({ channel: 'email', country: null, use: 'safety', used: 25, most: 25 })
  })

  test('are those of the country with the longest matching code, and without one nothing is sent', async () => {
    await set({ smsCountries: ['86 2', '8613700 0', '1 1'] })
    const text = (to: string) => order({ channel: 'sms', to })
    await text('+8613800000000')
    await text('+8613800000001')
    await expect(text('+8613800000002')).rejects.toThrow('delivery.tooManySent')
    await text('+12025550100')
    await expect(text('+8613700000000')).rejects.toThrow('delivery.tooManySent')
    await expect(text('+88213000000')).rejects.toThrow('delivery.countryNotServed')
    for (const wrong of ['13800000000', '+86 138', '+0123456789', '+8613800000000\n', ''])
      await expect(text(wrong)).rejects.toThrow('delivery.wrongNumber')
  })
})

describe('staff', () => {
  test('see the messages, with most of each address masked, and figures by day', async () => {
    await order()
    await order({ channel: 'sms', to: '+8613800001234' })
    await order({ to: 'gone@example.com' })
    await sendAll(ground)
    const { days } = await chief.call(contract.deliveryBoard, {})
    const { rows } = await chief.call(deliveryList, {})
    expect(rows.map(({ to, state }) => [to, state])).toEqual([
      ['g***@example.com', 'refused'],
      ['+86****1234', 'unsent'],
      ['m***@example.com', 'sent'],
    ])
    expect(days.map(({ channel, sent, unsent, refused }) => [channel, sent, unsent, refused])).toEqual([
      ['email', 1, 0, 1],
      ['sms', 0, 1, 0],
    ])
    expect((await chief.call(deliveryList, { state: 'sent' })).rows.map(({ to }) => to)).toEqual(['m***@example.com'])
    expect((await chief.call(deliveryList, { state: 'unsent' })).rows.map(({ to }) => to)).toEqual(['+86****1234'])
  })

  test('send a test to themselves, which the log notes', async () => {
    await chief.call(contract.testEmail, { email: 'chief@example.com' })
    await sendAll(ground)
    expect(mail.received.map(({ to }) => to)).toEqual([['chief@example.com']])
    const { rows } = await chief.call(auditLog, { about: 'delivery email' })
    expect(rows[0]).toMatchObject({ action: 'delivery.test', after: { to: 'c***@example.com' } })
    expect((await chief.tryCall(contract.testEmail, { email: 'chief' })).error).toHaveProperty('email')
    expect((await chief.tryCall(contract.testText, { phone: '+99912345678' })).error).toHaveProperty('phone')
  })

  test('have a ceiling of their own for tests, which messages to members do not count for', async () => {
    await set({ emailsPerDay: 1, smsPerDay: 1, smsCountries: ['86 1'] })
    const email = 'chief@example.com'
    await chief.call(contract.testEmail, { email })
    await chief.call(contract.testText, { phone: '+8613800000000' })
    await chief.call(testTemplate, { template: 'code', language: 'en', email })
    await sendAll(ground)
    const { ceilings, days } = await chief.call(contract.deliveryBoard, {})
    const used = (use: string) => ceilings.filter((one) => one.use === use).map(({ channel, country, used: of }) => [channel, country, of])
    expect(used('codes')).toEqual([
      ['email', null, 0],
      ['sms', null, 0],
      ['sms', '86', 0],
    ])
    expect(used('tests')).toEqual([
      ['email', null, 2],
      ['sms', null, 1],
      ['sms', '86', 1],
    ])
    expect(days.map(({ channel, sent, unsent, tests }) => [channel, sent, unsent, tests])).toEqual([
      ['email', 0, 0, 2],
      ['sms', 0, 0, 1],
    ])
    expect((await chief.call(deliveryList, {})).rows.every(({ isTest }) => isTest)).toBe(true)
    await order()
    await order({ channel: 'sms', to: '+8613800000000' })
  })

  test('read the stored outbox on the machine itself alone', async () => {
    await set({ emailProvider: 'outbox' })
    await order({ values: { code: '654321', minutes: '10' } })
    await sendAll(ground)
    expect(mail.received).toEqual([])
    expect((await chief.call(contract.deliveryBoard, {})).outbox).toBe(null)
    const here = await aStaffer(forum)
    here.ip = '127.0.0.1'
    const { outbox } = await here.call(contract.deliveryBoard, {})
    expect(outbox?.[0]).toMatchObject({ to: 'mei@example.com', subject: expect.stringContaining('654321') })
    expect((await forum.visitor().tryCall(contract.deliveryBoard, {})).status).toBe(401)
  })

  test('cannot test without a configured channel', async () => {
    await set({ emailProvider: 'none', smsProvider: 'none' })
    expect((await chief.call(contract.deliveryBoard, {})).unsent).toEqual(['email', 'sms'])
    const email = 'chief@example.com'
    expect(await chief.isRefused(contract.testEmail, { email }, contract.NoEmails)).toBe(true)
    expect(await chief.isRefused(contract.testText, { phone: '+8613800000000' }, contract.NoTexts)).toBe(true)
    expect(await chief.isRefused(testTemplate, { template: 'code', language: 'en', email }, contract.NoEmails)).toBe(true)
    expect(await states()).toEqual([])
  })

  test('see undelivered security alerts as unsent', async () => {
    await set({ emailProvider: 'none' })
    await order({ template: 'passwordChanged', values: {}, use: 'safety' })
    await sendAll(ground)
    expect(await states()).toEqual(['unsent'])
  })
})
