import { createHash } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#account/contract.ts'
import { failureMs } from '#account/server/failure-time.ts'
import { importedHash } from '#base/server/security/imported-password.ts'
import { aForum, type Person } from '#base/testing/forum.ts'

// The timers of this process are watched.
const forum = await aForum({ isOneServer: true })
const { app } = forum.database
const wrong = 'whatever-it-is'

/** Gives a member the hash of another program for their password. */
async function move({ id, password }: Person): Promise<void> {
  const hash = createHash('md5').update(password).digest('hex')
  await app
    .updateTable('member')
    .set({ password_hash: await importedHash({ family: 'phpbb', hash }) })
    .where('id', '=', id)
    .execute()
}

function logIn(account: string, password: string) {
  return forum.visitor().tryCall(login, { account, password })
}

/** Counts the waits for the time of failures while no time passes, and ends them at once. */
function failureWaits(): () => number {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const start = globalThis.setTimeout
  let waits = 0
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, ms) => {
    if (ms === failureMs) waits++
    return start(callback, ms === failureMs ? 0 : ms)
  })
  onTestFinished(() => spy.mockRestore())
  return () => waits
}

test('every wrong login takes one time while there are imported hashes, and only then', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const waits = failureWaits()
  await logIn(mei.account, wrong)
  expect(waits()).toBe(0)
  await move(tom)
  const accounts = [tom.account, mei.account, 'nobody_at_all']
  const answers = await Promise.all(accounts.map((account) => logIn(account, wrong)))
  expect(new Set(answers.map(({ status, response }) => `${status} ${response.body}`)).size).toBe(1)
  expect(waits()).toBe(3)
  expect((await logIn(mei.account, mei.password)).status).toBe(200)
  expect(waits()).toBe(3)
})

test('a closed account with an imported hash takes as long for the right password', async () => {
  const mei = await forum.member()
  await move(mei)
  await app.updateTable('member').set({ deactivated_at: new Date(), deactivated_as: 'cancelled' }).where('id', '=', mei.id).execute()
  const waits = failureWaits()
  expect((await logIn(mei.account, mei.password)).status).toBe(422)
  expect(waits()).toBe(1)
})
