import { expect, test } from 'vitest'
import { sendLoginCode } from '#account/contract.ts'
import { sendRecoveryCode } from '#account/recover-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { chooseOutbox } from '#delivery/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const [inAll, each] = [40, 25]
const requests = 100

test('requests for codes, from all networks and to ever other numbers, stay within the daily limits', async () => {
  const allowed: Partial<Settings> = { allowLoginAccountType: ['phone'], smsCountries: [`86 ${each}`, `1 ${each}`], smsPerDay: inAll }
  await transact(forum.database, (tx) => applySettings(tx, allowed))
  const counts = new Map<number, number>()
  for (let round = 0; round < requests / 20; round++) {
    const numbers = Array.from({ length: 20 }, (_, n) => round * 20 + n)
    for (const status of await Promise.all(numbers.map(ask))) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  const sent = await app.selectFrom('delivery').select(['country']).execute()
  expect(sent).toHaveLength(inAll)
  for (const country of ['86', '1']) expect(sent.filter((one) => one.country === country).length).toBeLessThanOrEqual(each)
  expect(counts).toEqual(
    new Map([
      [200, inAll],
      [503, requests - inAll],
    ]),
  )
})

/** One new visitor each, who has solved a captcha. */
async function ask(n: number): Promise<number> {
  const visitor = forum.visitor()
  const phone = n % 2 === 0 ? `+86137${String(10_000_000 + n)}` : `+1415555${String(1000 + n).padStart(4, '0')}`
  const its = { kind: 'phone', phone, ...(await solvedCaptcha(forum, visitor)) } as const
  return (await visitor.tryCall(n % 3 === 0 ? sendRecoveryCode : sendLoginCode, its)).status
}
