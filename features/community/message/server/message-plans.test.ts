import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { tableAccesses } from '#base/testing/plans.ts'
import { withStatementLog } from '#base/testing/statement-log.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import * as contract from '#message/contract.ts'
import { unreadMessageCount } from '#notification/contract.ts'
import { says } from '#writing/testing/factories.ts'

const store = withStatementLog(await freshDatabase())
const forum = await aForum({ fresh: async () => store })
const [mei, tom] = [await forum.member(), await forum.member()]
const others = 40
const each = 500
// A page, and one more for each lookup.
const mostRows = 200

const owner = new pg.Client({ connectionString: store.ownerUrl })
const app = new pg.Client({ connectionString: addressesOf(store.ownerUrl).app })
await Promise.all([owner.connect(), app.connect()])
afterAll(() => Promise.all([owner.end(), app.end()]))

/** Mei has many conversations, the longest with Tom; other members have still more. */
async function fill(): Promise<void> {
  await owner.query(`
    insert into member (account, account_key, password_hash) select 'other' || n, 'other' || n, '' from generate_series(1, ${others}) as n;
    insert into message_setting (member_id, senders) values (${mei.id}, 'everybody');
    insert into message (low_id, high_id, author_id, key, body, segments, text, sent_at)
      select least(one.id, other.id), greatest(one.id, other.id), case when n % 2 = 0 then one.id else other.id end, gen_random_uuid(), '{}', '[]',
        'Said ' || n, now() - make_interval(mins => 100000 - n)
      from member as one join member as other on other.id > one.id, generate_series(1, ${each}) as n
      where one.id in (${mei.id}, ${tom.id}) or other.id % 7 = 0;
    insert into conversation_participant (member_id, other_id, last_id)
      select low_id, high_id, max(id) from message group by 1, 2 union all select high_id, low_id, max(id) from message group by 1, 2;
    update conversation_participant set unread = 3 where member_id = ${mei.id} and other_id % 2 = 0;
    analyze message, conversation_participant, member`)
}

test('a conversation, a page of the list, counts and writing read a few rows of an index, under row-level security', async () => {
  await fill()
  store.statements.length = 0
  const { messages } = await mei.call(contract.conversation, { userId: tom.id })
  const before = messages[0]?.id ?? ''
  await mei.call(contract.conversation, { userId: tom.id, before })
  await mei.call(contract.conversation, { userId: tom.id, after: before })
  await mei.call(contract.conversations, {})
  await mei.call(contract.conversations, { in: 'requests' })
  await mei.call(unreadMessageCount, {})
  await tom.call(contract.send, { userId: mei.id, body: says('Good morning'), key: randomUUID() })
  await mei.call(contract.markRead, { userId: tom.id, upTo: messages.at(-1)?.id ?? '' })
  await mei.call(contract.remove, { userId: tom.id, messageId: before })
  const texts = new Map(
    store.statements
      .filter(({ text }) => /message/.test(text) && !/set_config|advisory|with written/.test(text))
      .map((one) => [one.text, one]),
  )
  expect(texts.size).toBeGreaterThan(8)
  await app.query(`select set_config('app.member_id', $1, false)`, [mei.id])
  const much: string[] = []
  for (const { text, values } of texts.values())
    for (const { table, rows, how } of await tableAccesses(app, text, values))
      if (table.startsWith('message') && rows > mostRows) much.push(`${rows} of ${table} by ${how}: ${text}`)
  expect(much).toEqual([])
})
