import { expect, test } from 'vitest'
import { changePassword, login, loginForm, OldPasswordWrong } from '#account/contract.ts'
import { CaptchaNeeded } from '#captcha/contract.ts'
import { aForum } from '#base/testing/forum.ts'

const forum = await aForum()

test('an unknown account, a wrong password and a deactivated member get one and the same answer', async () => {
  const [real, deactivated] = [await forum.member(), await forum.member()]
  await forum.database.app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', deactivated.id)
    .execute()
  const answers = [
    await forum.visitor().tryCall(login, { account: 'nobody_here', password: 'whatever-it-is' }),
    await forum.visitor().tryCall(login, { account: real.account, password: 'whatever-it-is' }),
    await forum.visitor().tryCall(login, { account: deactivated.account, password: deactivated.password }),
  ]
  expect(new Set(answers.map(({ status, response }) => `${status} ${response.body}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(422)
})

test('a captcha is asked for after the third failure in a minute from one address', async () => {
  const visitor = forum.visitor()
  for (let failure = 1; failure <= 3; failure++) {
    expect((await visitor.tryCall(login, { account: `nobody_${failure}`, password: 'whatever-it-is' })).error).toHaveProperty('password')
  }
  expect(await visitor.call(loginForm, {})).toMatchObject({ needsCaptcha: true })
  expect(await visitor.isRefused(login, { account: 'nobody_4', password: 'whatever-it-is' }, CaptchaNeeded)).toBe(true)
})

test.each([true, false])(
  'an account asks for a captcha after three failures from three addresses, existing (%s) or not',
  async (exists) => {
    const account = exists ? (await forum.member()).account : 'not_an_account'
    for (const visitor of [forum.visitor(), forum.visitor(), forum.visitor()]) {
      await visitor.tryCall(login, { account, password: 'whatever-it-is' })
    }
    expect(await forum.visitor().isRefused(login, { account, password: 'whatever-it-is' }, CaptchaNeeded)).toBe(true)
  },
)

test('too many logins from one address get the time to wait', async () => {
  const visitor = forum.visitor()
  const answers = []
  for (let n = 0; n < 21; n++) answers.push(await visitor.tryCall(login, { account: `x${n}`, password: 'y' }))
  const last = answers.at(-1)
  expect(last?.status).toBe(429)
  expect(last?.response.headers['retry-after']).toBeDefined()
})

test('an account name logs in in any case', async () => {
  const mei = await forum.member('Mei_Upper')
  expect((await forum.visitor().tryCall(login, { account: 'mei_upper', password: mei.password })).status).toBe(200)
})

test('a password changes only with the present one', async () => {
  const mei = await forum.member()
  const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
  expect(await mei.isRefused(changePassword, { oldPassword: 'not-this-one', ...next }, OldPasswordWrong)).toBe(true)
  expect((await forum.visitor().tryCall(changePassword, { oldPassword: mei.password, ...next })).status).toBe(401)
})
