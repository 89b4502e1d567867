import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as challenge from '#challenge/server/challenge.ts'

const { database, close } = await freshDatabase()
const db = database.app
afterAll(close)
beforeEach(async () => {
  await db.deleteFrom('attempt').execute()
  await db.deleteFrom('challenge').execute()
})

const from = {
  ip: '10.0.0.1',
  isLocal: false,
  csrf: 'tom’s browser',
  origin: '',
  userAgent: '',
  authorization: undefined,
  language: 'zh' as const,
}
const about = { purpose: 'bindPhone', subject: 'phone +8613800000000' }

const ask = (its = about, by: Partial<typeof from> = {}) => transact(database, (tx) => challenge.makeCode(tx, its, { ...from, ...by }))
const guess = (answer: string | undefined, its = about, by = from) =>
  transact(database, (tx) => challenge.consume(tx, { kind: 'code', ...its }, answer, by))

async function codeFor(its = about): Promise<string> {
  const result = await ask(its)
  if (!('code' in result)) throw new Error(`No code for ${result.seconds} seconds`)
  return result.code
}

const notIt = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const letPass = (seconds: number) =>
  db
    .updateTable('attempt')
    .set({ at: sql`at - ${seconds} * interval '1 second'` })
    .execute()

test('a code has six digits and is right once', async () => {
  const code = await codeFor()
  expect(code).toMatch(/^\d{6}$/)
  expect([await guess(''), await guess(undefined)]).toEqual(['missing', 'missing'])
  expect([await guess(code), await guess(code)]).toEqual(['right', 'wrong'])
})

test('the stored challenge reveals neither the code nor its receiver', async () => {
  const code = await codeFor()
  const rows = [...(await db.selectFrom('challenge').selectAll().execute()), ...(await db.selectFrom('attempt').select('key').execute())]
  for (const secret of [code, '13800000000']) expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a code is good for its purpose, its address and its browser alone', async () => {
  const code = await codeFor()
  expect(await guess(code, { ...about, purpose: 'recover' })).toBe('wrong')
  expect(await guess(code, { ...about, subject: 'phone +8613800000001' })).toBe('wrong')
  expect(await guess(code, about, { ...from, csrf: 'another browser' })).toBe('wrong')
  const asCaptcha = await transact(database, (tx) => challenge.consume(tx, { kind: 'captcha', ...about }, code, from))
  expect(asCaptcha).toBe('wrong')
  expect(await guess(code)).toBe('right')
})

test('a code expires after ten minutes', async () => {
  const code = await codeFor()
  await db
    .updateTable('challenge')
    .set({ expires_at: sql`expires_at - interval '10 minutes 1 second'` })
    .execute()
  expect(await guess(code)).toBe('wrong')
})

test('the fifth wrong answer burns a code', async () => {
  const code = await codeFor()
  for (let n = 0; n < 4; n++) expect(await guess(notIt(code))).toBe('wrong')
  expect(await guess(code)).toBe('right')
  await letPass(60)
  const next = await codeFor()
  for (let n = 0; n < 5; n++) expect(await guess(notIt(next))).toBe('wrong')
  expect(await guess(next)).toBe('wrong')
})

test('two hundred guesses at once are compared five times at most, and a right answer counts once', async () => {
  const code = await codeFor()
  let counted = 0
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      transact(database, async (tx) => {
        const outcome = await challenge.consume(tx, { kind: 'code', ...about }, n === 199 ? code : notIt(code), from)
        const row = await tx.selectFrom('challenge').select('tries').executeTakeFirst()
        counted = Math.max(counted, row?.tries ?? 0)
        return outcome
      }),
    ),
  )
  expect(counted).toBeLessThanOrEqual(5)
  expect(outcomes.filter((outcome) => outcome === 'right').length).toBeLessThanOrEqual(1)
  expect(await guess(code)).toBe('wrong')
})

test('fifty right answers at once succeed once', async () => {
  const code = await codeFor()
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => guess(code)))
  expect(outcomes.filter((outcome) => outcome === 'right')).toHaveLength(1)
})

test('an address is sent one a minute, five an hour and ten a day, for any purpose and from any sender', async () => {
  await codeFor()
  expect(await ask({ ...about, purpose: 'recover' }, { ip: '10.9.9.9', isLocal: false, csrf: 'another' })).toEqual({
    seconds: expect.any(Number),
  })
  for (let n = 1; n < 5; n++) {
    await letPass(60)
    await codeFor()
  }
  await letPass(60)
  expect(await ask()).toMatchObject({ seconds: expect.any(Number) })
  await letPass(3_600)
  for (let n = 0; n < 5; n++) {
    await codeFor()
    await letPass(60)
  }
  await letPass(3_600)
  expect(await ask()).toMatchObject({ seconds: expect.any(Number) })
  await letPass(86_400)
  await codeFor()
})

test('a sender has a limit over all addresses, and a network is one sender', async () => {
  const outcomes = []
  for (let n = 0; n < 8; n++)
    outcomes.push(await ask({ ...about, subject: `phone ${n}` }, { ip: `2001:db8:1:2::${n}`, csrf: `browser ${n}` }))
  expect(outcomes.filter((outcome) => 'code' in outcome)).toHaveLength(5)
})

test('staff say how many that is: one address gets two a day, and a whole school asks for four hundred', async () => {
  await transact(database, (tx) => applySettings(tx, { verificationCodesPerDay: 2, verificationCodesPerNetworkPerDay: 400 }))
  const outcomes = []
  for (let n = 0; n < 8; n++) outcomes.push(await ask({ ...about, subject: `phone ${n}` }))
  expect(outcomes.filter((outcome) => 'code' in outcome)).toHaveLength(7)
  await letPass(3_600)
  await codeFor({ ...about, subject: 'phone 0' })
  await letPass(3_600)
  expect(await ask({ ...about, subject: 'phone 0' })).toEqual({ seconds: expect.any(Number) })
  await transact(database, (tx) => applySettings(tx, { verificationCodesPerDay: 10, verificationCodesPerNetworkPerDay: 60 }))
})

test('a hundred requests at once for one address send one code', async () => {
  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(about, { ip: `10.1.${n}.1` })))
  expect(outcomes.filter((outcome) => 'code' in outcome)).toHaveLength(1)
})

test('a captcha is used up by its first answer', async () => {
  const captcha = { kind: 'captcha' as const, purpose: 'login', subject: 'one' }
  await challenge.make(db, captcha, 'aBcD', from)
  const answers = ['wxyz', 'abcd']
  const outcomes = []
  for (const answer of answers) outcomes.push(await transact(database, (tx) => challenge.consume(tx, captcha, answer, from)))
  expect(outcomes).toEqual(['wrong', 'wrong'])
  await challenge.make(db, captcha, 'aBcD', from)
  expect(await transact(database, (tx) => challenge.consume(tx, captcha, 'ABCD', from))).toBe('right')
})
