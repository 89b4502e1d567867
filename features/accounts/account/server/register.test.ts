import { pbkdf2Sync } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { accountName, AccountReserved, AccountTaken, PasswordCommon, login, register, suggestAccount } from '#account/contract.ts'
import { loginLog } from '#account/login-contract.ts'
import { CaptchaNeeded, CaptchaWrong, makeCaptcha, type captchaPurposes, type CaptchaWork } from '#captcha/contract.ts'
import * as challenge from '#challenge/server/challenge.ts'
import type { RawInput } from '#base/contract.ts'
import { aForum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as setting from '#setting/server/setting.ts'
import { NicknameReserved, NicknameTaken } from '#user/contract.ts'

const forum = await aForum()

const form: RawInput<typeof register> = {
  account: 'mei_lin',
  password: 'a-quiet-evening',
  passwordAgain: 'a-quiet-evening',
  hintQuestion: 'Which tea in the morning?',
  hintAnswer: 'Longjing, always',
  agrees: true,
}

test('a new member is logged in, and the login is in their log', async () => {
  const visitor = forum.visitor()
  const { systemUser, ...pair } = await visitor.call(register, form)
  expect(systemUser).toMatchObject({ account: 'mei_lin', nickname: null, isOfficial: false })
  visitor.pair = pair
  const { entries, total } = await visitor.call(loginLog, {})
  expect(total).toBe(1)
  expect(entries[0]).toMatchObject({ kind: 'login', ip: visitor.ip, region: 'local' })
})

test.each<[string, Partial<typeof form>, string, string, string]>([
  ['a short account', { account: 'ab' }, 'account', 'At least 3', '至少'],
  ['a long account', { account: 'a'.repeat(26) }, 'account', 'At most 25', '最多'],
  ['a short password', { password: 'abc', passwordAgain: 'abc' }, 'password', 'At least 7', '至少'],
  ['two passwords', { passwordAgain: 'another-evening' }, 'passwordAgain', 'don’t match', '不一致'],
  ['a short hint', { hintQuestion: 'Tea?' }, 'hintQuestion', 'At least 7', '至少'],
  ['a short answer', { hintAnswer: 'Yes' }, 'hintAnswer', 'At least 7', '至少'],
  ['no agreement', { agrees: false }, 'agrees', 'Agree', '同意'],
  ['a short account with two passwords', { account: 'ab', passwordAgain: 'another' }, 'passwordAgain', 'don’t match', '不一致'],
])('%s is refused beside its field, in either language', async (_, change, field, en, zh) => {
  const wrong = { ...form, account: 'somebody', ...change }
  const english = await forum.visitor().tryCall(register, wrong)
  const chinese = await forum.visitor({ language: 'zh' }).tryCall(register, wrong)
  expect([english.status, chinese.status]).toEqual([422, 422])
  expect(english.error[field]).toContain(en)
  expect(chinese.error[field]).toContain(zh)
})

test('a nickname comes along, the account alone where it says the same; one that is taken or reserved is refused at its field', async () => {
  const visitor = forum.visitor()
  const named = { ...form, account: 'by_the_well', nickname: '井边人' }
  expect((await visitor.call(register, named)).systemUser).toMatchObject({ account: 'by_the_well', nickname: '井边人' })
  const other = { ...named, account: 'at_the_well' }
  expect(await forum.visitor().isRefused(register, other, NicknameTaken)).toBe(true)
  expect(await forum.visitor().isRefused(register, { ...other, nickname: 'by_the_well' }, NicknameTaken)).toBe(true)
  expect(await forum.visitor().isRefused(register, { ...other, nickname: '管理员' }, NicknameReserved)).toBe(true)
  const same = await forum.visitor().call(register, { ...other, nickname: 'At_The_Well' })
  expect(same.systemUser).toMatchObject({ account: 'at_the_well', nickname: null })
})

test('a question is given with its answer, or not at all', async () => {
  const { hintAnswer: _, ...half } = form
  expect((await forum.visitor().tryCall(register, { ...half, account: 'half_asked' })).error).toHaveProperty('hintAnswer')
  const { hintQuestion: __, ...none } = half
  expect((await forum.visitor().tryCall(register, { ...none, account: 'not_asked' })).status).toBe(200)
})

const suggest = async (nickname: string) => (await forum.visitor().call(suggestAccount, { nickname })).account

test('an account is suggested by the sound of a nickname', async () => {
  expect(await suggest('茶香四溢')).toMatch(/^chaxiangsiyi\d{4}$/)
  expect(await suggest('Amélie')).toMatch(/^amelie\d{4}$/)
  expect(await suggest('ぬ')).toMatch(/^member\d{10}$/)
  expect(await suggest('管理 admin')).not.toContain('admin')
  expect(accountName.safeParse(await suggest('一二三四五六七八九十一二三四五')).success).toBe(true)
})

test('a suggested name does not reveal whether a name is taken', async () => {
  const { id } = await forum.member('ChaXiangSiYi')
  // A query for the names that are taken would find another free one.
  await sql`insert into taken_name (key, member_id) select 'chaxiangsiyi' || n, ${id} from generate_series(1000, 9999) as n`.execute(
    forum.database.app,
  )
  expect(await suggest('茶香四溢')).toMatch(/^chaxiangsiyi\d{4}$/)
})

test.each(['ab c', 'ab-c', 'абв', '茶客茶客', 'a\u200bbc', 'ａｂｃ', 'abc\n', 'me@home'])(
  'the account %j is refused: letters, digits and underscores only',
  async (account) => {
    expect((await forum.visitor().tryCall(register, { ...form, account })).error).toHaveProperty('account')
  },
)

test.each(['Admin', 'the_administrator', 'root', 'Staff_1', 'TeaHouse_team'])('the name %s is kept for the house', async (account) => {
  expect(await forum.visitor().isRefused(register, { ...form, account }, AccountReserved)).toBe(true)
})

test.each(['password', 'Passw0rd!', '1234567', 'qwertyuiop', 'aaaaaaa', '7654321', 'woaini1314', 'somebody1'])(
  'the password %s is too common',
  async (password) => {
    expect(
      await forum.visitor().isRefused(register, { ...form, account: 'somebody', password, passwordAgain: password }, PasswordCommon),
    ).toBe(true)
  },
)

test('a name is taken in any case, and by nicknames too', async () => {
  await forum.member('Lao_Zhou')
  expect(await forum.visitor().isRefused(register, { ...form, account: 'lao_zhou' }, AccountTaken)).toBe(true)
})

test('twenty registrations of one name at once end with one accepted and the others refused', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => forum.visitor().tryCall(register, { ...form, account: 'one_name' })))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19)
})

test.each(['id', 'is_official', 'isOfficial', 'role', 'points', 'deactivated_at', '__proto__', 'constructor'])(
  'a form that also says %s is not understood',
  async (name) => {
    const visitor = forum.visitor()
    const response = await visitor.send('POST', '/account/register', { ...form, account: 'sneaky_one', [name]: '1' })
    expect(response.statusCode).toBe(400)
    expect(await forum.visitor().tryCall(login, { account: 'sneaky_one', password: form.password })).toMatchObject({ status: 422 })
  },
)

test('registration that staff have closed is refused before anything is made', async () => {
  await changeSetting('allowRegistrations', false)
  expect((await forum.visitor().tryCall(register, { ...form, account: 'too_late' })).error).toHaveProperty('setting')
  await changeSetting('allowRegistrations', true)
})

test('the captcha is asked for, works once, for its purpose and its browser only', async () => {
  await changeSetting('registerCaptcha', true)
  const visitor = forum.visitor()
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha' }, CaptchaNeeded)).toBe(true)

  const wrong = await solved(visitor, 'register', 'abcd')
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha', ...wrong, captcha: 'wxyz' }, CaptchaWrong)).toBe(true)
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha', ...wrong }, CaptchaWrong)).toBe(true)

  const forLogin = await solved(visitor, 'login', 'abcd')
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha', ...forLogin }, CaptchaWrong)).toBe(true)

  const another = await solved(forum.visitor(), 'register', 'abcd')
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha', ...another }, CaptchaWrong)).toBe(true)

  const right = await solved(visitor, 'register', 'aBcD')
  expect((await visitor.tryCall(register, { ...form, account: 'with_captcha', ...right })).status).toBe(200)
  expect(await visitor.isRefused(register, { ...form, account: 'with_captcha_2', ...right }, CaptchaWrong)).toBe(true)
  await changeSetting('registerCaptcha', false)
})

test('a taken name is revealed only after a captcha', async () => {
  await forum.member('Lao_Chen')
  await changeSetting('registerCaptcha', true)
  const visitor = forum.visitor()
  expect(await visitor.isRefused(register, { ...form, account: 'lao_chen' }, CaptchaNeeded)).toBe(true)
  const right = await solved(visitor, 'register', 'abcd')
  expect(await visitor.isRefused(register, { ...form, account: 'lao_chen', ...right }, AccountTaken)).toBe(true)
  await changeSetting('registerCaptcha', false)
})

test('a visitor who cannot read a picture has the browser find a number, for one attempt', async () => {
  await changeSetting('registerCaptcha', true)
  const visitor = forum.visitor()
  const { captchaId, picture, work } = await visitor.call(makeCaptcha, { purpose: 'register', kind: 'work' })
  if (!work) throw new Error('No work came')
  expect(picture).toBe(null)
  const account = 'no_picture'
  expect(await visitor.isRefused(register, { ...form, account, captchaId, captchaWork: work.most + 1 }, CaptchaWrong)).toBe(true)

  const again = await visitor.call(makeCaptcha, { purpose: 'register', kind: 'work' })
  if (!again.work) throw new Error('No work came')
  const captchaWork = await numberFor(again.captchaId, again.work)
  expect((await visitor.tryCall(register, { ...form, account, captchaId, captchaWork })).status).toBe(422)
  expect((await visitor.tryCall(register, { ...form, account, captchaId: again.captchaId, captchaWork })).status).toBe(200)
  await changeSetting('registerCaptcha', false)
})

test('three register from one address within an hour, however often they try', async () => {
  const visitor = forum.visitor()
  const tries = (account: string) => visitor.tryCall(register, { ...form, account })
  for (let time = 0; time < 5; time++) expect((await tries('admin')).status).toBe(422)
  for (const account of ['a_first', 'a_second', 'a_third']) expect((await tries(account)).status).toBe(200)
  expect((await tries('a_fourth')).status).toBe(429)
})

test('a captcha is a picture, and its answer is nowhere to be read', async () => {
  const { picture, captchaId } = await forum.visitor().call(makeCaptcha, { purpose: 'register' })
  expect(picture).toMatch(/^data:image\/png;base64,/)
  const row = await forum.database.app.selectFrom('challenge').selectAll().where('subject', '=', captchaId).executeTakeFirstOrThrow()
  expect(row.answer_hash).toHaveLength(32)
})

// The test cannot read the picture, so it replaces the answer by a known one, sealed in the same way.
async function solved(visitor: Visitor, purpose: (typeof captchaPurposes)[number], answer: string) {
  const { captchaId } = await visitor.call(makeCaptcha, { purpose })
  const answer_hash = await challenge.hashOf(forum.database.app, { kind: 'captcha', subject: captchaId }, answer)
  await forum.database.app.updateTable('challenge').set({ answer_hash }).where('subject', '=', captchaId).execute()
  return { captchaId, captcha: answer }
}

// A browser derives every number, which takes seconds; knowing the seal, the test derives the one that fits.
async function numberFor(captchaId: string, { target, iterations, most }: CaptchaWork): Promise<number> {
  const { app } = forum.database
  const { answer_hash } = await app.selectFrom('challenge').select('answer_hash').where('subject', '=', captchaId).executeTakeFirstOrThrow()
  for (let number = 1; number <= most; number++) {
    if (!answer_hash.equals(await challenge.hashOf(app, { kind: 'captcha', subject: captchaId }, String(number)))) continue
    expect(pbkdf2Sync(String(number), captchaId, iterations, 32, 'sha256').toString('base64url')).toBe(target)
    return number
  }
  throw new Error('No number is the one')
}

async function changeSetting(name: 'allowRegistrations' | 'registerCaptcha', value: boolean): Promise<void> {
  await transact(forum.database, (tx) => setting.change(tx, name, value, 'test'))
}
