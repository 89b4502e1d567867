import { beforeEach, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { hintOfAccount, myHint, recoverByHint, recoverForm, recoverStep2, setMyHint, takeBack } from '#account/recover-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
// The question of the factory's members.
const question = 'Which tea in the morning?'
const answer = 'longjing, always'
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }

beforeEach(async () => {
  await ageAttempts(forum)
  await allow(true)
})

async function allow(recoverByHint: boolean): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, { recoverByHint }))
}

async function askHint(visitor: Visitor, account: string) {
  return visitor.tryCall(hintOfAccount, { account, ...(await solvedCaptcha(forum, visitor)) })
}

async function answers(visitor: Visitor, account: string, hintAnswer: string) {
  return visitor.tryCall(recoverByHint, { account, hintAnswer, ...(await solvedCaptcha(forum, visitor)) })
}

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) => `${status} ${response.body}`

test('with the setting, the answer in any spelling sets a new password', async () => {
  const { account } = await forum.member()
  const visitor = forum.visitor()
  expect((await visitor.call(recoverForm, {})).ways).toContain('account')
  expect((await askHint(visitor, account.toUpperCase())).body).toEqual({ question })
  const { body } = await answers(visitor, account, '  LONGJING,   Always ')
  await visitor.call(recoverStep2, { ticket: body.ticket, ...next })
  await visitor.call(login, { account, password: next.password })
})

test('it is off until staff allow it', async () => {
  await allow(false)
  const { account } = await forum.member()
  const visitor = forum.visitor()
  expect((await visitor.call(recoverForm, {})).ways).not.toContain('account')
  expect(statusAndBody(await askHint(visitor, account))).toMatch(/"setting"/)
  expect(statusAndBody(await answers(visitor, account, answer))).toMatch(/"setting"/)
})

test('an account that does not exist, has no question or has ended seems to have one, which stays the same', async () => {
  const [none, deactivated] = [await forum.member(), await forum.member()]
  await app.updateTable('member').set({ hint_question: null, hint_answer_hash: null }).where('id', '=', none.id).execute()
  await app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', deactivated.id)
    .execute()
  for (const account of [none.account, deactivated.account, 'nobody_at_all']) {
    const zh = forum.visitor({ language: 'zh' })
    const first = await askHint(forum.visitor(), account)
    expect([first.status, (await askHint(zh, account.toUpperCase())).body]).toEqual([200, first.body])
    expect(first.body.question).not.toBe('')
  }
  const wrong = await Promise.all(
    [none.account, deactivated.account, 'nobody_at_all', (await forum.member()).account].map(async (account) =>
      statusAndBody(await answers(forum.visitor(), account, 'not the answer at all')),
    ),
  )
  expect(new Set(wrong).size).toBe(1)
  expect(statusAndBody(await answers(forum.visitor(), deactivated.account, answer))).toBe(wrong[0])
})

test.each(['there is', 'there is not'])('five of a hundred answers at once are compared, where %s such an account', async (how) => {
  const account = how === 'there is' ? (await forum.member()).account : 'nobody_here'
  const spelled = (n: number) => (n % 2 === 0 ? account : ` ${account.toUpperCase()} `)
  const visitors = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const visitor = forum.visitor()
      return { visitor, captcha: await solvedCaptcha(forum, visitor) }
    }),
  )
  const tries = await Promise.all(
    visitors.map(({ visitor, captcha }, n) =>
      visitor.tryCall(recoverByHint, { account: spelled(n), hintAnswer: `guess ${n}`, ...captcha }),
    ),
  )
  expect(tries.filter(({ status }) => status === 422)).toHaveLength(5)
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(95)
  expect((await answers(forum.visitor(), account, answer)).status).toBe(429)
})

test('a question and an attempt each take a captcha', async () => {
  const { account } = await forum.member()
  expect(Object.keys((await forum.visitor().tryCall(hintOfAccount, { account })).error)).toEqual(['captcha'])
  expect(Object.keys((await forum.visitor().tryCall(recoverByHint, { account, hintAnswer: answer })).error)).toEqual(['captcha'])
  expect(await app.selectFrom('attempt').select('key').where('key', 'like', 'hint %').execute()).toEqual([])
})

test('a member changes the question after a fresh proof, and is notified with a link to undo it', async () => {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: 'hint@example.org' }))
  const mine = { hintQuestion: 'Where did the cat sleep?', hintAnswer: 'on the stove' }
  expect((await forum.visitor().tryCall(setMyHint, mine)).status).toBe(401)
  await app
    .updateTable('session')
    .set({ started_at: new Date(Date.now() - 3_600_000) })
    .where('member_id', '=', member.id)
    .execute()
  expect((await member.tryCall(setMyHint, mine)).status).toBe(428)
  await app.updateTable('session').set({ started_at: new Date() }).where('member_id', '=', member.id).execute()
  await member.call(setMyHint, mine)
  expect(await member.call(myHint, {})).toEqual({ question: mine.hintQuestion, isAsked: true })
  expect((await answers(forum.visitor(), member.account, 'On The  Stove')).status).toBe(200)
  const [, link] = /takeBack#([\w-]{43})/.exec(await lastTo(forum, 'hint@example.org', /takeBack#/)) ?? []
  await forum.visitor().call(takeBack, { link: link ?? '', ...next })
  const row = await app
    .selectFrom('member')
    .select(['hint_question', 'hint_answer_hash'])
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ hint_question: null, hint_answer_hash: null })
})
