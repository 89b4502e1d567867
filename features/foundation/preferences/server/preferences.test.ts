import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import { transact } from '#base/server/database/database.ts'
import { login } from '#account/contract.ts'
import { changePreferences, preferences } from '#preferences/contract.ts'
import * as its from '#preferences/server/preferences.ts'
import { baseInfo } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

const forum = await aForum()
const none = { language: null, theme: null, textSize: null, timeZone: null }

test('no preference is set at first; a chosen one applies to every device, from the login on', async () => {
  const mei = await forum.member('mei_reads')
  expect(await mei.call(preferences, {})).toMatchObject(none)
  await mei.call(changePreferences, { theme: 'dark' })
  await mei.call(changePreferences, { language: 'en', textSize: 'large', timeZone: 'Europe/Lisbon' })
  const chosen = { language: 'en', theme: 'dark', textSize: 'large', timeZone: 'Europe/Lisbon' }
  const phone = forum.visitor({ userAgent: 'a phone' })
  const { systemUser } = sessionOf(await phone.call(login, { account: 'mei_reads', password: mei.password }))
  expect(systemUser.preferences).toEqual(chosen)
  expect((await mei.call(baseInfo, {})).systemUser?.preferences).toEqual(chosen)
  const { language } = await forum.database.app.selectFrom('member').select('language').where('id', '=', mei.id).executeTakeFirstOrThrow()
  expect(language).toBe('en')
})

test('the clock of a member is the one they chose, or the site’s', async () => {
  const tom = await forum.member()
  const { app } = forum.database
  await transact(forum.database, (tx) => setting.change(tx, 'timeZone', 'Asia/Shanghai', 'test'))
  expect(await its.timeZoneOf(app, tom.id)).toBe('Asia/Shanghai')
  await tom.call(changePreferences, { timeZone: 'America/Lima' })
  expect(await its.timeZoneOf(app, tom.id)).toBe('America/Lima')
  await tom.call(changePreferences, { timeZone: '' })
  expect(await tom.call(preferences, {})).toEqual({ ...none, siteTimeZone: 'Asia/Shanghai' })
})

test.each([[{ timeZone: 'Moon/Crater' }], [{ timeZone: '+08:00' }], [{ theme: 'pink' }], [{ textSize: '40px' }], [{ language: 'fr' }]])(
  '%j is refused, and nothing is kept',
  async (wrong) => {
    const bo = await forum.member()
    const { statusCode } = await bo.send('POST', '/user/control/preferences', wrong)
    expect([400, 422]).toContain(statusCode)
    expect(await bo.call(preferences, {})).toMatchObject(none)
  },
)

test('visitors have none, and change none', async () => {
  expect((await forum.visitor().tryCall(preferences, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(changePreferences, { theme: 'dark' })).status).toBe(401)
})
