import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'
import { run } from '#database/migrate.ts'

const { database, ownerUrl, close } = await freshDatabase()
await database.close()
const client = new pg.Client({ connectionString: ownerUrl })
await client.connect()
const migration = '0037-taken-names.sql'

afterAll(async () => {
  await client.end()
  await close()
})

test('two who share a name from before keep it; nobody else gets it until both have given it up', async () => {
  await client.query(`drop table taken_name; drop function take_names cascade; delete from migration where name = '${migration}'`)
  await client.query(`insert into member (account, account_key, nickname, nickname_key, password_hash)
    values ('Bo', 'bo', null, null, ''), ('ann', 'ann', 'bo', 'bo', ''), ('eve', 'eve', 'eve', 'eve', '')`)
  await run(client, migration)
  expect(await taken()).toEqual({ ann: 'ann', bo: 'Bo', eve: 'eve' })

  // What does not change the name is no reason to lose it.
  await client.query("update member set nickname_key = 'bo', shows_activity = false where account = 'ann'")
  await client.query("update member set account = 'cy', account_key = 'cy' where account = 'Bo'")
  expect(await taken()).toEqual({ ann: 'ann', bo: 'ann', cy: 'cy', eve: 'eve' })
  await expect(client.query("insert into member (account, account_key, password_hash) values ('bo', 'bo', '')")).rejects.toThrow(
    /taken_name/,
  )

  await client.query("update member set nickname = null, nickname_key = null where account = 'ann'")
  await client.query("insert into member (account, account_key, password_hash) values ('bo', 'bo', '')")
  expect(await taken()).toEqual({ ann: 'ann', bo: 'bo', cy: 'cy', eve: 'eve' })
})

test('who is removed with all their rows gives their names free', async () => {
  await client.query("delete from member where account = 'eve'")
  expect(await taken()).not.toHaveProperty('eve')
})

async function taken(): Promise<Record<string, string>> {
  const { rows } = await client.query('select key, account from taken_name join member on id = member_id order by key')
  return Object.fromEntries(rows.map(({ key, account }) => [key, account]))
}
