import { expect, test } from 'vitest'
import { register } from '#account/contract.ts'
import { aForum } from '#base/testing/forum.ts'
import { editProfile, NicknameTaken } from '#user/contract.ts'

const forum = await aForum()

const form = (account: string) => ({
  account,
  password: 'a-quiet-evening',
  passwordAgain: 'a-quiet-evening',
  hintQuestion: 'Which tea in the morning?',
  hintAnswer: 'Longjing, always',
  agrees: true,
})

test('a registration and a nickname with one name at once end with one accepted, and the other refused at its field', async () => {
  const others = await Promise.all(Array.from({ length: 8 }, () => forum.member()))
  const outcomes = await Promise.all(
    others.map(async (other, at) => {
      const [registered, renamed] = await Promise.all([
        forum.visitor().tryCall(register, form(`wanted_${at}`)),
        // Case and width are folded in the same way.
        other.tryCall(editProfile, { nickname: `Ｗanted_${at}`, showsActivity: true }),
      ])
      return [registered, renamed] as const
    }),
  )
  for (const [registered, renamed] of outcomes) {
    expect([registered.status, renamed.status].toSorted()).toEqual([200, 422])
    expect([...Object.keys(registered.error), ...Object.keys(renamed.error)]).toEqual([registered.status === 422 ? 'account' : 'nickname'])
  }
})

test('one nickname for many members at once is given once', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => forum.member()))
  const tries = await Promise.all(all.map((one) => one.tryCall(editProfile, { nickname: '听雨轩', showsActivity: true })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a nickname that is given up is free for its owner alone, and the own account name may be the nickname', async () => {
  const [mei, lin] = [await forum.member('own_name'), await forum.member()]
  await mei.call(editProfile, { nickname: '旧时茶', showsActivity: true })
  await mei.call(editProfile, { nickname: 'Own_Name', showsActivity: true })
  expect(await lin.isRefused(editProfile, { nickname: '旧时茶', showsActivity: true }, NicknameTaken)).toBe(true)
  expect(await mei.call(editProfile, { nickname: '旧时茶', showsActivity: true })).toMatchObject({ name: '旧时茶' })
  await mei.call(editProfile, { nickname: '', showsActivity: true })
  expect(await lin.isRefused(editProfile, { nickname: 'OWN_NAME', showsActivity: true }, NicknameTaken)).toBe(true)
})
