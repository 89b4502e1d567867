import { expect, describe, test } from 'vitest'
import { aBadSite } from '#base/testing/bad-site.ts'
import { serveJson } from '#base/testing/fake-server.ts'
import { aSendingForum } from '#delivery/testing/factories.ts'
import { sendAll } from '#delivery/server/jobs.ts'
import { health } from '#maintenance/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const { forum, db, mail, ground, set, order, states, itsTime } = await aSendingForum()
const chief = await aStaffer(forum)

test('a mail server that never answers holds up no text message', async () => {
  const [bad, desk] = [await aBadSite('says nothing'), await serveJson(() => ({}))]
  await set({ smtpPort: bad.port, smsProvider: 'webhook', smsWebhookUrl: desk.address })
  const tried = async (channel: 'email' | 'sms') =>
    (await db.selectFrom('delivery').select('id').where('channel', '=', channel).where('tries', '>', 0).execute()).length
  for (let n = 0; n < 9; n++) await order({ to: `guest${n}@example.com` })
  const sending = sendAll(ground)
  await expect.poll(() => tried('email')).toBeGreaterThan(3)
  await order({ channel: 'sms', to: '+8613800000000' })
  await expect.poll(async () => (await states()).at(-1)).toBe('sent')
  expect(await tried('email')).toBe(4)
  bad.close()
  await sending
  await desk.close()
  expect(await tried('email')).toBe(9)
})

describe('the health of sending', () => {
  const now = async () => (await chief.call(health, {})).email

  test('shows the configuration, the last message sent, and later failures', async () => {
    expect(await now()).toMatchObject({ isSet: true, isNeeded: false, isIncomplete: false, waiting: 0, sentAt: null, failure: null })
    await order()
    await sendAll(ground)
    const well = await now()
    expect(well).toMatchObject({ sentAt: expect.any(String), failure: null, isFailing: false })
    await order({ to: 'gone@example.com' })
    await sendAll(ground)
    expect(await now()).toMatchObject({ failure: { error: expect.stringContaining('Not here') }, isFailing: false })
    await set({ smtpPort: 1 })
    await order()
    await sendAll(ground)
    expect(await now()).toMatchObject({
      waiting: 1,
      sentAt: well.sentAt,
      failure: { error: expect.stringContaining('REFUSED') },
      isFailing: true,
    })
    await set({ smtpPort: mail.port })
    await itsTime()
    await sendAll(ground)
    expect(await now()).toMatchObject({ waiting: 0, isFailing: false })
  })

  test('shows that nothing is sent although members log in by it, and the missing values of a provider', async () => {
    await set({ emailProvider: 'none', allowLoginAccountType: ['account', 'email'] })
    await expect(order()).rejects.toThrow('delivery.noEmails')
    expect(await now()).toMatchObject({ isSet: false, isNeeded: true, sentAt: null, failure: null, isFailing: false })
    await set({ emailProvider: 'smtp', smtpHost: '', allowLoginAccountType: ['account'] })
    expect(await now()).toMatchObject({ isSet: true, isNeeded: false, isIncomplete: true })
  })
})
