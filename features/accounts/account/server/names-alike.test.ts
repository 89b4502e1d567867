import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { register } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { editProfile, nickname, NicknameTaken } from '#user/contract.ts'
import { confusables, skeletonOf } from '#user/server/confusables.ts'
import * as user from '#user/server/user.ts'

const forum = await aForum()

test('each sign stands over one', () => {
  expect([...confusables.from]).toHaveLength([...confusables.to].length)
})

const pairs = [
  ['mei_lin', 'ｍｅｉ＿ｌｉｎ'],
  ['paul', 'pauI'],
  ['paul', 'pau1'],
  ['solo', 'so1o'],
  ['solo', 's0l0'],
  ['anna', 'ɑnnɑ'],
  ['anna', 'ᴀnna'],
  ['mei lin', 'mei-lin'],
  ['mei_lin', 'mei lin'],
  ['a.b', 'a·b'],
  ['工作', 'エ作'],
  ['口水', 'ロ水'],
  ['力气', 'カ气'],
  ['一日', 'ー日'],
  ['ﬁne', 'fine'],
  ['㎏_tea', 'kg_tea'],
] as const

test.each(pairs)('%s and %s look alike', (one, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(one))
})

test.each([
  ['mail', 'mall'],
  ['jose', 'josé'],
  ['meilin', 'mei_lin'],
  ['工作', '土作'],
  ['tea1', 'tea2'],
  ['管理', '管里'],
])('%s and %s do not', (one, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(one))
})

test.each([
  'аdmin',
  'admіn',
  'αdmin',
  'ad\u200bmin',
  'admin\u202e',
  '\u2066admin',
  'ad\u00admin',
  'ad\ufeffmin',
  'ａ\u3164b',
  'tea١',
  'tea𝟏',
])('the nickname %j is of another script, or has invisible characters', (name) => {
  expect(nickname.safeParse(name).success).toBe(false)
})

/** Whether a name is taken, and how often its search has looked into the members. */
async function lookFor(name: string) {
  return transact(forum.database, async (tx) => {
    const isTaken = await user.isNameTaken(tx, name)
    const { rows } = await sql<{ looks: number }>`select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as looks
      from pg_stat_xact_user_tables where relname = 'member'`.execute(tx)
    return { isTaken, looks: rows[0]?.looks ?? 0 }
  })
}

test('a name with many spellings is looked up in few steps for each letter, even with many similar names', async () => {
  await forum.member('l1l1l1l1l1l1l1l1l1l1l1l1l')
  const [same, shorter] = [await lookFor('Il1Il1Il1Il1Il1Il1Il1Il1I'), await lookFor('Il1Il1Il1Il1Il1Il1Il1Il1')]
  expect([same.isTaken, shorter.isTaken]).toEqual([true, false])
  for (const { looks } of [same, shorter]) expect(looks / 25).toBeLessThan(40)
})

const form = { password: 'a-quiet-evening', agrees: true }

test('a name similar to another’s is refused, for accounts and nicknames alike, and the member’s own is not', async () => {
  const mei = await forum.member('paul_lin')
  expect((await forum.visitor().tryCall(register, { ...form, account: 'pauI_lin' })).error).toHaveProperty('account')
  expect((await forum.visitor().tryCall(register, { ...form, account: 'free_name', nickname: 'pau1 1in' })).error).toHaveProperty(
    'nickname',
  )
  await mei.call(editProfile, { nickname: '工作台', showsActivity: true })
  const tom = await forum.member()
  expect(await tom.isRefused(editProfile, { nickname: 'エ作台', showsActivity: true }, NicknameTaken)).toBe(true)
  await mei.call(editProfile, { nickname: 'エ作台', showsActivity: true })
  await mei.call(editProfile, { nickname: 'PauI-Lin', showsActivity: true })
})

test('of similar names at once only one is registered', async () => {
  const tries = await Promise.all(
    ['solo_tea', 'so1o_tea', 'sOl0_tea', 's0lo_tea'].map((account) => forum.visitor().tryCall(register, { ...form, account })),
  )
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
})

test.each(['adm1n', 'ADMlN', 'r00t', 'ᴀdmin', 'he1p', 'sʏstem', 'Sup-p0rt'])('%s pretends to be staff', (name) => {
  expect(user.isReserved(name, ['*admin*', 'root', 'help', 'system', '*support*'])).toBe(true)
})
