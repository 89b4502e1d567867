import { expect, test } from 'vitest'
import { transact } from '#base/server/database.ts'
import { aForum } from '#base/testing/forum.ts'
import * as setting from '#setting/server/setting.ts'
import { editableProfile, editProfile, home, NicknameReserved, NicknameTaken, suggestMembers } from '#user/contract.ts'

const forum = await aForum()

test('a nickname stands in place of the account, and going back to none shows the account again', async () => {
  const mei = await forum.member('mei_of_the_hill')
  expect(await mei.call(editProfile, { nickname: '山上的梅', showsActivity: true })).toMatchObject({ name: '山上的梅' })
  expect(await mei.call(editProfile, { nickname: '', showsActivity: true })).toMatchObject({ name: 'mei_of_the_hill' })
})

test('a nickname that is taken, kept for the house, or of look-alike letters is refused at its field', async () => {
  const [mei, zhou] = [await forum.member('first_here'), await forum.member()]
  await mei.call(editProfile, { nickname: '老周', showsActivity: true })
  expect(await zhou.isRefused(editProfile, { nickname: '老周', showsActivity: true }, NicknameTaken)).toBe(true)
  expect(await zhou.isRefused(editProfile, { nickname: 'First_Here', showsActivity: true }, NicknameTaken)).toBe(true)
  expect(await zhou.isRefused(editProfile, { nickname: 'the admin', showsActivity: true }, NicknameReserved)).toBe(true)
  for (const nickname of ['茶馆官方', '客 服', 'Ｏｆｆｉｃｉａｌ', '管理員'])
    expect(await zhou.isRefused(editProfile, { nickname, showsActivity: true }, NicknameReserved), nickname).toBe(true)
  expect((await zhou.tries(editProfile, { nickname: 'Аdа', showsActivity: true })).error).toHaveProperty('nickname')
  expect((await zhou.tries(editProfile, { nickname: 'a\u202eb', showsActivity: true })).error).toHaveProperty('nickname')
})

test('who had a name before it was kept for the house keeps it, and may change the rest', async () => {
  const zhou = await forum.member()
  await zhou.call(editProfile, { nickname: '跑堂的', showsActivity: true })
  await transact(forum.database, (tx) => setting.change(tx, 'reservedNames', ['跑堂*'], 'test'))
  expect(await zhou.call(editProfile, { nickname: '跑堂的', showsActivity: false })).toMatchObject({ name: '跑堂的' })
  expect(await zhou.isRefused(editProfile, { nickname: '跑堂小二', showsActivity: true }, NicknameReserved)).toBe(true)
})

test('a page shows level and counts; the account only to its owner', async () => {
  const [mei, zhou] = [await forum.member(), await forum.member()]
  const own = await mei.call(home, {})
  expect(own).toMatchObject({
    isMe: true,
    account: mei.account,
    level: { rank: 1, points: 0 },
    counts: { topics: 0, comments: 0, replies: 0 },
  })
  expect(await zhou.call(home, { userId: mei.id })).toMatchObject({ isMe: false, account: null, user: { name: mei.account } })
  expect((await forum.visitor().tries(home, { userId: '999999' })).status).toBe(404)
  expect((await forum.visitor().tries(home, {})).status).toBe(401)
  expect((await forum.visitor().tries(editableProfile, {})).status).toBe(401)
})

test('names are suggested to members by how they begin, without those who left', async () => {
  const [mei, gone] = [await forum.member('suggest_me'), await forum.member('suggest_gone')]
  await forum.database.app.updateTable('member').set({ deactivated_at: new Date() }).where('id', '=', gone.id).execute()
  expect((await mei.call(suggestMembers, { query: 'SUGG' })).members.map((one) => one.name)).toEqual(['suggest_me'])
  expect((await mei.call(suggestMembers, { query: '%' })).members).toEqual([])
  expect((await forum.visitor().tries(suggestMembers, { query: 'a' })).status).toBe(401)
})
