import pg from 'pg'
import { expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { printedDefinitions, remake } from '#base/testing/remake.ts'
import { guardDifferences, guardsIn, missingGuards } from '#database/guards.ts'

const { database, ownerUrl, close } = await freshDatabase()
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
afterFile(async () => {
  await owner.end()
  await close()
})

const differences = async () => (await guardDifferences().execute(database.reader)).rows.map(({ what }) => what)
const weaker = `create or replace trigger credited_once before update on payment_order for each row
  when (old.state = 'paid' and new.state is distinct from old.state) execute function refuse_payment_change()`

test('a guard that was made again from its printed definition, however often, is the one that was installed', async () => {
  const before = await guardsIn(owner)
  for (let round = 0; round < 2; round++) await remake(owner, await printedDefinitions(owner))
  expect(await guardsIn(owner)).not.toEqual(before)
  expect(await missingGuards(owner)).toEqual([])
  expect(await differences()).toEqual([])
})

test('a weaker one in its place is missing, though others are worded otherwise', async () => {
  await owner.query(weaker)
  expect(await differences()).toEqual([
    expect.stringMatching(/^missing or changed: trigger payment_order credited_once/),
    expect.stringMatching(/^unknown: trigger payment_order credited_once/),
  ])
  expect(await missingGuards(owner)).toEqual([expect.stringMatching(/^trigger payment_order credited_once/)])
})

test.each([
  [
    'a check',
    'alter table money_request drop constraint moves_something, add constraint moves_something check (points <> 0 or true)',
    'constraint money_request moves_something',
  ],
  [
    'a trigger of fewer columns',
    `create or replace trigger immutable_columns before update of id, number on payment_order
    for each statement execute function refuse_payment_change()`,
    'trigger payment_order immutable_columns',
  ],
  [
    'a trigger that calls another function',
    `create or replace trigger immutable before delete or truncate on payment_order
    for each statement execute function correct_notification_count()`,
    'trigger payment_order immutable ',
  ],
  [
    'an index over less',
    `drop index payment_order_provider_provider_number_idx; create unique index payment_order_provider_provider_number_idx
    on payment_order (provider, provider_number) where provider_number is not null and state = 'closed'`,
    'index payment_order_provider_provider_number_idx',
  ],
  [
    'a policy for everybody',
    `drop policy author_inserts on message; create policy author_inserts on message for insert with check (true)`,
    'policy message author_inserts',
  ],
  [
    'a view that shows more',
    `create or replace view hidden.outline as
    select id, topic_id, comment_id, thread_id, author_id, lock, needs, true as is_there, is_shown from hidden.placed`,
    'view hidden.outline',
  ],
])('%s is not taken for the one that was installed', async (_, change, guard) => {
  await owner.query(change)
  expect(await missingGuards(owner)).toContainEqual(expect.stringMatching(new RegExp(`^${guard}`)))
})
