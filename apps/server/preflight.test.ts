import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { preflight } from '#apps/server/preflight.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'

let fresh: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  fresh = await freshDatabase()
  owner = new pg.Client({ connectionString: fresh.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await fresh.close()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The reasons not to start, without the unsafe speed settings of the test PostgreSQL. */
async function complaints(): Promise<string[]> {
  const refused = await preflight(fresh.ownerUrl).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CannotStart)
  return (refused as Error).message.split('\n').filter((line) => !line.includes('would lose payments'))
}

/** The complaints after a change, which is then reverted. */
async function when(change: string, back: string): Promise<string[]> {
  await owner.query(change)
  try {
    return await complaints()
  } finally {
    await owner.query(back)
  }
}

test('a database with unsafe durability settings is refused, for each of them', async () => {
  const refused = await preflight(fresh.ownerUrl).catch((error: unknown) => error)
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    expect(String(refused)).toContain(`PostgreSQL runs with ${name} = off, and would lose payments that were answered.`)
  expect(await complaints()).toEqual([])
})

const says = (text: string) => [expect.stringContaining(text)]

test('a role of the program with too many rights is refused', async () => {
  const app = 'teahouse_app'
  expect(await when(`alter role ${app} createrole`, `alter role ${app} nocreaterole`)).toEqual(says(`${app} may change the rights`))
  expect(await when(`grant insert on ledger.entry to ${app}`, `revoke insert on ledger.entry from ${app}`)).toEqual(
    says(`${app} has rights it must not have on ledger.entry.`),
  )
  expect(await when(`grant select on hidden.part to teahouse_reader`, `revoke select on hidden.part from teahouse_reader`)).toEqual(
    says('teahouse_reader has rights it must not have on hidden.part.'),
  )
  const { rows: owners } = await owner.query(`select current_user as name`)
  expect(await when(`alter table reward owner to ${app}`, `alter table reward owner to ${owners[0].name}`)).toEqual(
    says(`${app} has rights it must not have on reward.`),
  )
})

test('a database without a trigger, constraint or function that keeps the books right is refused', async () => {
  const missing = (guard: string) => [expect.stringContaining('is missing in the database'), expect.stringContaining(`  ${guard}`)]
  const trigger = 'ledger.transaction disable trigger immutable'
  expect(await when(`alter table ${trigger}`, `alter table ${trigger.replace('disable', 'enable')}`)).toEqual(
    missing('trigger ledger.transaction immutable'),
  )
  const constraint = 'two_agree'
  const { rows } = await owner.query(
    `select pg_get_constraintdef(oid) as said from pg_constraint where conname = '${constraint}' and conrelid = 'money_request'::regclass`,
  )
  expect(
    await when(
      `alter table money_request drop constraint ${constraint}`,
      `alter table money_request add constraint ${constraint} ${rows[0].said}`,
    ),
  ).toEqual(missing(`constraint money_request ${constraint}`))
  const { rows: functions } = await owner.query(`select pg_get_functiondef('hidden.unlock_reason'::regproc) as said`)
  const open = functions[0].said.replace(/\$function\$[\s\S]*\$function\$/, `$function$ select 'author' $function$`)
  expect(await when(open, functions[0].said)).toEqual([
    expect.stringContaining('is missing in the database'),
    expect.stringContaining('function hidden.unlock_reason'),
  ])
  expect(await complaints()).toEqual([])
})

test('a database with a replaced check, trigger or execute right under the same name is refused', async () => {
  const missing = (guard: string) => [expect.stringContaining('is missing in the database'), expect.stringContaining(`  ${guard}`)]
  const weaker = (check: string) =>
    `alter table money_request drop constraint moves_something, add constraint moves_something check (${check})`
  expect(await when(weaker('points is not null'), weaker('points <> 0 or cents <> 0'))).toEqual(
    missing('constraint money_request moves_something'),
  )
  const immutable = (actions: string) =>
    `create or replace trigger immutable before ${actions} on ledger.transaction for each statement execute function ledger.refuse_change()`
  expect(await when(immutable('truncate'), immutable('update or delete or truncate'))).toEqual(
    missing('trigger ledger.transaction immutable'),
  )
  const refuses = (does: string) => `create or replace function ledger.refuse_change() returns trigger language plpgsql as $$${does}$$`
  const { rows } = await owner.query(`select prosrc as does from pg_proc where oid = 'ledger.refuse_change'::regproc`)
  expect(await when(refuses('begin return null; end'), refuses(rows[0].does))).toEqual(missing('function ledger.refuse_change()'))
  const moves = 'execute on function ledger.lock_accounts_of'
  expect(await when(`grant ${moves} to teahouse_app`, `revoke ${moves} from teahouse_app`)).toEqual(
    missing('function ledger.lock_accounts_of'),
  )
  expect(await complaints()).toEqual([])
})

test('a database that shows private messages to others than their two members is refused', async () => {
  const missing = (guard: string) => [expect.stringContaining('is missing in the database'), expect.stringContaining(guard)]
  expect(await when(`alter table message disable row level security`, `alter table message enable row level security`)).toEqual(
    missing('row security message'),
  )
  expect(await when(`create policy all_read on message for select using (true)`, `drop policy all_read on message`)).toEqual(
    missing('policies message'),
  )
  const own = `create or replace function current_member_id() returns bigint stable language sql as`
  const { rows } = await owner.query(`select pg_get_functiondef('current_member_id'::regproc) as said`)
  expect(await when(`${own} $$ select 1::bigint $$`, rows[0].said)).toEqual(missing('function current_member_id()'))
  expect(await complaints()).toEqual([])
})

test('a database migrated by a newer program is not checked against this one’s guards', async () => {
  await owner.query(`insert into migration (name) values ('9999-later.sql'); alter table ledger.transaction disable trigger immutable`)
  expect(await complaints()).toEqual([])
  await owner.query(`delete from migration where name = '9999-later.sql'; alter table ledger.transaction enable trigger immutable`)
})

test('a clock that is more than half a minute from that of the database is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 45_000 })
  expect(await complaints()).toEqual([expect.stringMatching(/^The clocks of this machine and of PostgreSQL are 4[4-6] seconds apart/)])
  vi.setSystemTime(Date.now() - 30_000)
  expect(await complaints()).toEqual([])
})
