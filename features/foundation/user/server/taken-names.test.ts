import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'

const { database, ownerUrl, close } = await freshDatabase()
await database.close()
const client = new pg.Client({ connectionString: ownerUrl })
await client.connect()

afterAll(async () => {
  await client.end()
  await close()
})

test('a name belongs to one member, as account or nickname, until they give it up', async () => {
  await client.query(`insert into member (account, account_key, nickname, nickname_key, password_hash)
    values ('bo', 'bo', null, null, ''), ('ann', 'ann', 'tea', 'tea', ''), ('eve', 'eve', 'eve', 'eve', '')`)
  expect(await takenNames()).toEqual({ ann: 'ann', bo: 'bo', eve: 'eve', tea: 'ann' })
  for (const [account, nickname] of [
    ['tea', null],
    ['new', 'bo'],
  ])
    await expect(
      client.query(`insert into member (account, account_key, nickname, nickname_key, password_hash) values ($1, $1, $2, $2, '')`, [
        account,
        nickname,
      ]),
    ).rejects.toThrow(/taken_name/)

  // An update that keeps the name keeps its row.
  await client.query("update member set nickname_key = 'tea', shows_activity = false where account = 'ann'")
  await client.query("update member set account = 'cy', account_key = 'cy' where account = 'bo'")
  await client.query("update member set nickname = 'bo', nickname_key = 'bo' where account = 'ann'")
  expect(await takenNames()).toEqual({ ann: 'ann', bo: 'ann', cy: 'cy', eve: 'eve' })
})

test('a member removed with all their rows frees their names', async () => {
  await client.query("delete from member where account = 'eve'")
  expect(await takenNames()).not.toHaveProperty('eve')
})

async function takenNames(): Promise<Record<string, string>> {
  const { rows } = await client.query('select key, account from taken_name join member on id = member_id order by key')
  return Object.fromEntries(rows.map(({ key, account }) => [key, account]))
}
