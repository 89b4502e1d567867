import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#message/contract.ts'
import { asMember } from '#message/server/as-member.ts'
import { aMessage, talking } from '#message/testing/factories.ts'

let forum: Forum
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

const tables = ['message', 'conversation_participant', 'message_report_copy'] as const
type Table = (typeof tables)[number]
const roles = ['app', 'reader'] as const
const both = tables.flatMap((table) => roles.map((role) => [table, role] as const))

beforeAll(async () => {
  forum = await aForum()
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
  await talking(mei, tom)
  await talking(bo, await forum.member())
  await mei.call(contract.report, { messageId: await aMessage(tom, mei), reason: 'Spam' })
})

const rowsOf = async (db: Forum['database']['app'], table: Table) =>
  (await sql<{ members: string }>`select to_jsonb(its)::text as members from ${sql.table(table)} as its`.execute(db)).rows

test.each(both)('without a member, no row of %s is visible as the %s', async (table, role) => {
  expect(await rowsOf(forum.database[role], table)).toEqual([])
})

test.each(both)('a member sees their own rows of %s as the %s, and none of a third', async (table, role) => {
  const db = forum.database[role]
  const seenBy = (who: Person) => asMember(db, who.id, (as) => rowsOf(as, table))
  const [mine, theirs] = [await seenBy(mei), await seenBy(bo)]
  const stranger = await forum.member()
  expect(await seenBy(stranger)).toEqual([])
  // Only the function that opens a report reads the copies for staff.
  expect([mine.length > 0, theirs.length > 0]).toEqual(Array.from({ length: 2 }, () => table !== 'message_report_copy'))
  for (const { members } of theirs) expect(members).not.toMatch(new RegExp(`"(low|high|member|other)_id": ${mei.id}\\b`))
})

test('the reader role opens no report, and cannot clean up or merge messages', async () => {
  for (const call of [sql`reported_messages(1)`, sql`clean_messages(1, 1, true)`, sql`merge_messages(1, 2)`])
    await expect(sql`select ${call}`.execute(forum.database.reader)).rejects.toThrow('permission denied')
})

test('the member of a query ends with its transaction', async () => {
  await asMember(forum.database.app, mei.id, (as) => rowsOf(as, 'message'))
  for (let time = 0; time < 5; time++) expect(await rowsOf(forum.database.app, 'message')).toEqual([])
})

test('a member cannot write in another’s name, nor change or delete the messages of others', async () => {
  const { app } = forum.database
  const forged = sql`
    insert into message (low_id, high_id, author_id, key, body, segments, text)
    values (least(${mei.id}::bigint, ${tom.id}), greatest(${mei.id}::bigint, ${tom.id}), ${mei.id}, gen_random_uuid(), '{}', '[]', 'forged')`
  await expect(forged.execute(app)).rejects.toThrow('row-level security')
  await expect(asMember(app, bo.id, (as) => forged.execute(as))).rejects.toThrow('row-level security')
  await expect(asMember(app, tom.id, (as) => forged.execute(as))).rejects.toThrow('row-level security')
  const counted = async (text: ReturnType<typeof sql>) => (await asMember(app, bo.id, (as) => text.execute(as))).numAffectedRows
  expect(await counted(sql`update message set text = 'forged' where author_id = ${mei.id}`)).toBe(0n)
  expect(await counted(sql`update conversation_participant set unread = 9 where member_id = ${mei.id}`)).toBe(0n)
  expect(await counted(sql`delete from message where author_id = ${bo.id}`)).toBe(0n)
})
