import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { bookChecks, features } from '#apps/server/features.ts'
import { openDatabase, transact, type Database } from '#base/server/database/database.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { toMinor } from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import type { Breach } from '#wallet/server/breaches.ts'
import { declareFreeKinds, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

// The check of a ledger of a million entries: a full round, and an incremental check after 500 gifts. Rewards, bought hidden parts, gifts,
// adjustments by staff and reversals; one author has sold as much as 30,000 times.
const transactions = Number(process.env['BENCH_TRANSACTIONS'] ?? 500_000)
const members = transactions / 5
const gifts = 500
const folder = mkdtempSync(join(tmpdir(), 'teahouse-books-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
try {
  await migrate(server.ownerUrl)
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  owner.on('error', () => undefined)
  await owner.connect()
  await owner.query(declareFreeKinds)
  const database = openDatabase(addressesOf(server.ownerUrl), { features, size: 4, onLost: () => undefined })
  await measure('filling', () => fill(owner))
  const checks = bookChecks.filter(({ over }) => over !== 'database')
  await measure('the first look, at everything as new', () => checkLedger(database, checks, { isFull: false }).then(tell))
  await measure('a full round', () => checkLedger(database, checks, { isFull: true }).then(tell))
  for (const check of checks) await measure(`  ${check.name}`, () => wallet.breachesIn(database, [check], null))
  await measure(`${gifts} gifts`, () => pay(database))
  await measure('the look at what is new', () => checkLedger(database, checks, { isFull: false }).then(tell))
  await measure('the same when nothing is', () => checkLedger(database, checks, { isFull: false }).then(tell))
  await database.close()
  await owner.end()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(what: string, does: () => Promise<unknown>): Promise<void> {
  const [began, cpu] = [performance.now(), cpuSeconds()]
  await does()
  console.log(`${what}: ${Math.round(performance.now() - began)} ms, PostgreSQL had the processor for ${(cpuSeconds() - cpu).toFixed(2)} s`)
}

/** Of the database processes still running. */
function cpuSeconds(): number {
  const ticks = readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return []
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return Number(fields[11]) + Number(fields[12])
    } catch {
      return [] // it has ended, or is another user's
    }
  })
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

function tell(breaches: readonly Breach[]): void {
  if (breaches.length > 0) console.log(breaches.slice(0, 5))
}

async function pay(database: Database): Promise<void> {
  for (let n = 1; n <= gifts; n++) {
    const to = n % 2 === 0 ? '1' : String(1 + ((n * 104_729) % members))
    const cause = { kind: freeKinds.gift, source: `bench:${n}`, by: { kind: 'forum' }, account: 'adjustment' } as const
    await transact(database, (tx) => wallet.credit(tx, { ...cause, to, currency: 'points', amount: toMinor(1) }))
  }
}

async function fill(owner: pg.Client): Promise<void> {
  const steps = `
    insert into member (account, account_key, password_hash) select 'm' || n, 'm' || n, '' from generate_series(1, ${members}) as n;
    insert into staff (account, account_key, password_hash, speaks_as) select 'keeper', 'keeper', '', 1;
    insert into ledger.account (name, owner_id, currency, balance) select 'member', id, 'points', 0 from member order by id;
    insert into hidden.part (id, topic_id, position, lock, needs, document, segments, file_ids)
      select 'h_' || n, n, 0, 'points', 1, '{"type":"doc"}', '[1]', '{}' from generate_series(1, 2000) as n;
    -- First everybody gets a gift; then, mixed, rewards, sales, adjustments, and reversals of gifts.
    create temp table action as select n as id, case when n <= ${Math.round(transactions / 5)} then 'testGift' when n % 20 = 0 then 'adjustment' when n % 20 = 1 then 'reversal'
        when n % 4 = 2 then 'reward' else 'unlock' end as kind, 1 + (n * 7919) % ${members} as payer, case when n % 10 = 3 then 1 else 2 + n % 1999 end as author
      from generate_series(1, ${transactions}::bigint) as n;
    delete from action where kind = 'unlock' and (payer = author or payer <= 2000);
    insert into reward (post_kind, post_id, member_id, rule, points, is_due, is_given) select 'topic', id, payer, 'topic', 10, false, true
      from action where kind = 'reward';
    insert into ledger.transaction (id, kind, source, reverses, actor_kind, at, digest) overriding system value
      select id, kind, case kind when 'reward' then 'topic:' || id || ':1' when 'unlock' then 'part:h_' || author || ':' || payer || ':' || id
          when 'reversal' then 'transaction:' || id else kind || ':' || id end,
        case kind when 'reversal' then reversed end, 'forum', timestamptz '2025-11-01' + id * interval '1 minute', ''
      from (select *, row_number() over (partition by kind order by id) as reversed from action) as action;
    update action set payer = 1 + (reversed * 7919) % ${members} from (select id, row_number() over (partition by kind order by id) as reversed from action) as its
      where its.id = action.id and kind = 'reversal';
    create temp table side as
      select action.id, kind, account.id as account_id, case kind when 'testGift' then 1000 when 'adjustment' then 5 when 'reward' then 10
          when 'unlock' then -1 else -1000 end as amount from action join ledger.account on owner_id = payer and name = 'member'
      union all select action.id, kind, account.id, 1 from action join ledger.account on owner_id = author and name = 'member' where kind = 'unlock'
      union all select action.id, kind, account.id, case kind when 'testGift' then -1000 when 'adjustment' then -5 when 'reward' then -10 else 1000 end
        from action join ledger.account on currency = 'points' and owner_id is null and label = ''
          and name = case kind when 'reward' then 'promotion' else 'adjustment' end::ledger.account_name where kind <> 'unlock';
    insert into ledger.entry select side.id, account_id, kind, 'points', amount,
        case when account.balance is not null then sum(amount) over (partition by account_id order by side.id) end, 0, 0
      from side join ledger.account on account.id = account_id;
    update ledger.account set balance = its.balance from (select distinct on (account_id) account_id, balance_after as balance from ledger.entry
      where balance_after is not null order by account_id, transaction_id desc) as its where account.id = account_id;
    update member set points_earned = its.amount from (select owner_id, sum(amount) as amount from ledger.entry join ledger.account on account.id = account_id
      where kind <> 'unlock' and owner_id is not null group by owner_id) as its where member.id = owner_id;
    insert into money_request (kind, member_id, points, cents, input, reason, asked_by, state, decided_at, transaction_id)
      select 'adjustment', payer, 5, 0, '{}', 'A gift', staff.id, 'done', now(), action.id from action, staff where kind = 'adjustment';
    insert into hidden.unlock (part_id, member_id, lock, paid, earned, transaction_id)
      select 'h_' || author, payer, 'points', 1, 1, id from action where kind = 'unlock';
    select setval('ledger.transaction_id_seq', ${transactions}), set_config('maintenance_work_mem', '256MB', false);
    update ledger.transaction as its set digest = ledger.digest_of(its, entries)
      from (select transaction_id, array_agg(entry) as entries from ledger.entry group by transaction_id) as of where transaction_id = its.id`
  await owner.query('set session_replication_role = replica')
  for (const step of steps.split(';\n')) await owner.query(step)
  await owner.query('vacuum analyze')
  const { rows } = await owner.query<{ entries: string }>('select count(*) as entries from ledger.entry')
  console.log(`${rows[0]?.entries} entries`)
}
