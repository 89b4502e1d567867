import type { Database } from '#base/server/database.ts'

let made = 0

/** A member straight in the database, where nobody needs to log in. Gives their id. */
export async function aMemberRow({ app }: Database): Promise<string> {
  const account = `holder_${++made}`
  const row = { account, account_key: account, password_hash: '' }
  return (await app.insertInto('member').values(row).returning('id').executeTakeFirstOrThrow()).id
}
