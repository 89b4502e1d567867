import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { register } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { leave } from '#leaving/contract.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { editMember, memberView } from '#member/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { editableProfile, editProfile, home, NicknameTaken, NicknameTooSoon } from '#user/contract.ts'
import * as user from '#user/server/user.ts'

let forum: Forum
beforeAll(async () => {
  forum = await aForum()
  await set('nicknameChangeIntervalDays', 30)
})

async function set(name: 'nicknameChangeIntervalDays' | 'formerNameShownDays', value: number): Promise<void> {
  await transact(forum.database, (tx) => setting.change(tx, name, value, 'test'))
}

const form = (nickname: string) => ({ nickname, showsActivity: true })
const calls = (who: Person, nickname: string) => who.call(editProfile, form(nickname))
const daysPass = (days: number) =>
  sql`update former_name set given_up_at = given_up_at - make_interval(days => ${days}::int)`.execute(forum.database.app)
const formerly = async (who: Person) => (await forum.visitor().call(home, { userId: who.id })).formerly

test('a nickname is changed once in thirty days; the first one, and the same in other letters, count for nothing', async () => {
  const mei = await forum.member()
  await calls(mei, 'Mei of the Well')
  await calls(mei, 'MEI of the Well')
  expect((await mei.call(editableProfile, {})).nicknames).toMatchObject({ everyDays: 30, keptUntil: null })
  await calls(mei, 'Mei of the Hill')
  const { keptUntil } = (await mei.call(editableProfile, {})).nicknames
  expect(Math.round((Date.parse(keptUntil ?? '') - Date.now()) / 86_400_000)).toBe(30)
  expect(await mei.isRefused(editProfile, form('Mei again'), NicknameTooSoon)).toBe(true)
  expect((await mei.tryCall(editProfile, form('Mei again'))).error['nickname']).toContain('30 days')
  await mei.call(editProfile, { ...form('Mei of the Hill'), about: 'Everything else may be changed' })
  await daysPass(31)
  await calls(mei, 'Mei again')
})

test('for a time the page shows the former name, which is reserved and still finds the member', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  await calls(mei, '老茶客')
  await calls(mei, '新茶客')
  expect(await formerly(mei)).toEqual(['老茶客'])
  expect(await user.memberIdByName(forum.database.app, '老茶客')).toBe(mei.id)
  expect(await tom.isRefused(editProfile, form('老茶客'), NicknameTaken)).toBe(true)
  const joining = { account: 'somebody_new', password: 'a-quiet-evening', nickname: '老茶客', agrees: true }
  expect(await forum.visitor().isRefused(register, joining, NicknameTaken)).toBe(true)
  await set('formerNameShownDays', 0)
  expect(await formerly(mei)).toEqual([])
  await set('formerNameShownDays', 30)
  await daysPass(31)
  expect(await formerly(mei)).toEqual([])
  await calls(mei, '老茶客')
  await daysPass(91)
  await calls(mei, '再来一杯')
  await daysPass(91)
  await calls(tom, '老茶客')
  expect(await user.memberIdByName(forum.database.app, '老茶客')).toBe(tom.id)
})

test('a name removed by staff is shown to staff only, and does not block another name', async () => {
  const [mei, chief] = [await forum.member(), await aStaffer(forum)]
  await calls(mei, 'Not a fine name')
  const { version } = await chief.call(memberView, { memberId: mei.id })
  await chief.call(editMember, { memberId: mei.id, version, nickname: '' }, newIdempotencyKey())
  expect(await formerly(mei)).toEqual([])
  expect((await chief.call(memberView, { memberId: mei.id })).formerNames).toMatchObject([{ name: 'Not a fine name' }])
  await calls(mei, 'A fine name')
  await calls(mei, 'A finer name')
})

test('the name of an erased member is reserved for a time', async () => {
  const mei = await forum.member('mei_erased')
  await mei.call(leave, { way: 'erase' })
  await sql`update account_deletion set erase_at = now() - interval '1 minute'`.execute(forum.database.app)
  await eraseDue(forum.database)
  const joining = { account: 'mei_erased', password: 'a-quiet-evening', agrees: true }
  expect((await forum.visitor().tryCall(register, joining)).status).toBe(422)
  expect(await user.memberIdByName(forum.database.app, 'mei_erased')).toBe(null)
  await daysPass(91)
  expect((await forum.visitor().tryCall(register, joining)).status).toBe(200)
})
