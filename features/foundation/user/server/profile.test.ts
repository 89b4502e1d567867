import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
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
  const [mei, zhou, qian] = [await forum.member('first_here'), await forum.member(), await forum.member()]
  await mei.call(editProfile, { nickname: '老周', showsActivity: true })
  expect(await zhou.isRefused(editProfile, { nickname: '老周', showsActivity: true }, NicknameTaken)).toBe(true)
  expect(await zhou.isRefused(editProfile, { nickname: 'First_Here', showsActivity: true }, NicknameTaken)).toBe(true)
  expect(await zhou.isRefused(editProfile, { nickname: 'the admin', showsActivity: true }, NicknameReserved)).toBe(true)
  for (const nickname of ['茶馆官方', '客 服', 'Ｏｆｆｉｃｉａｌ', '管理員'])
    expect(await zhou.isRefused(editProfile, { nickname, showsActivity: true }, NicknameReserved), nickname).toBe(true)
  expect((await zhou.tryCall(editProfile, { nickname: 'Аdа', showsActivity: true })).error).toHaveProperty('nickname')
  for (const nickname of ['a\u202eb', 'mei\u3164', '\u115f\u1160', 'e\u0301\u0301', `a${'\u0300\u0316'.repeat(20)}`])
    expect((await qian.tryCall(editProfile, { nickname, showsActivity: true })).error, nickname).toHaveProperty('nickname')
  expect(await qian.call(editProfile, { nickname: 'Ame\u0301lie', showsActivity: true })).toMatchObject({ name: 'Am\u00e9lie' })
})

test('a member with a name reserved later keeps it, and may change the rest', async () => {
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
  expect((await forum.visitor().tryCall(home, { userId: '999999' })).status).toBe(404)
  expect((await forum.visitor().tryCall(home, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(editableProfile, {})).status).toBe(401)
})

test('a member’s profile text stands on their page, keeps to its length, and stays if it is not sent', async () => {
  const mei = await forum.member()
  await mei.call(editProfile, { nickname: '', showsActivity: true, about: '  喝茶，走路。\n周末在山上。 ' })
  await mei.call(editProfile, { nickname: '', showsActivity: true })
  expect(await forum.visitor().call(home, { userId: mei.id })).toMatchObject({ about: '喝茶，走路。\n周末在山上。' })
  expect(await mei.call(editableProfile, {})).toMatchObject({ about: '喝茶，走路。\n周末在山上。', showsLastSeen: true })
  expect((await mei.tryCall(editProfile, { nickname: '', showsActivity: true, about: '茶'.repeat(301) })).error).toHaveProperty('about')
  await mei.call(editProfile, { nickname: '', showsActivity: true, about: '' })
  expect(await forum.visitor().call(home, { userId: mei.id })).toMatchObject({ about: '' })
})

test('the time of the last visit is shown to members, unless hidden, and never to visitors', async () => {
  const [mei, zhou] = [await forum.member(), await forum.member()]
  const lastSeenAt = async () => (await zhou.call(home, { userId: mei.id })).lastSeenAt
  expect(await lastSeenAt()).not.toBeNull()
  expect((await forum.visitor().call(home, { userId: mei.id })).lastSeenAt).toBeNull()
  await mei.call(editProfile, { nickname: '', showsActivity: true, showsLastSeen: false })
  expect(await lastSeenAt()).toBeNull()
  expect((await mei.call(home, {})).lastSeenAt).not.toBeNull()
  await mei.call(editProfile, { nickname: '', showsActivity: true })
  expect(await lastSeenAt()).toBeNull()
})

test('names are suggested to members by their beginning, without deactivated ones', async () => {
  const [mei, deactivated] = [await forum.member('suggest_me'), await forum.member('suggest_gone')]
  await forum.database.app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', deactivated.id)
    .execute()
  expect((await mei.call(suggestMembers, { query: 'SUGG' })).members.map((one) => one.name)).toEqual(['suggest_me'])
  expect((await mei.call(suggestMembers, { query: '%' })).members).toEqual([])
  expect((await forum.visitor().tryCall(suggestMembers, { query: 'a' })).status).toBe(401)
})

test('the beginning of an account behind a nickname suggests no member, and the nickname does', async () => {
  const [mei, lin] = [await forum.member('hidden_login'), await forum.member('hidden_not')]
  await mei.call(editProfile, { nickname: '云雾山人', showsActivity: true })
  const named = async (query: string) => (await lin.call(suggestMembers, { query })).members.map(({ name }) => name)
  for (const query of ['h', 'hidden', 'hidden_login']) expect(await named(query), query).not.toContain('云雾山人')
  expect(await named('hidden')).toEqual(['hidden_not'])
  expect(await named('云雾')).toEqual(['云雾山人'])
  await mei.call(editProfile, { nickname: '', showsActivity: true })
  expect(await named('hidden_l')).toEqual(['hidden_login'])
})

test('suggestions are ordered by the length of the shown name, not of the hidden account', async () => {
  const [short, long] = [await forum.member('zz_short_login'), await forum.member('zz_the_very_long_login')]
  await short.call(editProfile, { nickname: '雁荡毛峰新茶', showsActivity: true })
  await long.call(editProfile, { nickname: '雁荡', showsActivity: true })
  expect((await short.call(suggestMembers, { query: '雁荡' })).members.map(({ name }) => name)).toEqual(['雁荡', '雁荡毛峰新茶'])
})
