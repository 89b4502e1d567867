import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import type { Member } from '#base/server/http/route.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { buy } from '#hidden-part/server/unlock.ts'
import { toMinor } from '#wallet/contract.ts'
import { declareFreeKinds, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { repeat } from './repeat.ts'
import { print, type Row } from './table.ts'

// Transfers between many members, and hidden parts opened for points, compared with bare inserts of as many rows in one transaction each:
// the machine's maximum.
const terms = { seconds: Number(process.env['BENCH_SECONDS'] ?? 5), connections: 16 }
const members = 1_000
const folder = mkdtempSync(join(tmpdir(), 'teahouse-wallet-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
try {
  await migrate(server.ownerUrl)
  const owner = new pg.Pool({ connectionString: server.ownerUrl, max: terms.connections })
  const database = openDatabase(addressesOf(server.ownerUrl), { features, size: terms.connections, onLost: () => undefined })
  await owner.query(declareFreeKinds)
  await owner.query(
    "insert into member (account, account_key, password_hash) select 'm' || n, 'm' || n, '' from generate_series(1, $1::int) as n",
    [members],
  )
  await owner.query('create table bare (id bigint generated always as identity primary key, at_id bigint, amount bigint not null)')
  await owner.query('grant insert on bare to teahouse_app')
  const { rows } = await owner.query<{ id: string }>('select id from member')
  const ids = rows.map(({ id }) => id)
  for (const id of ids) await credit(id)
  await hideParts(owner)
  let transfers = 0
  let opened = 0
  const insert = 'insert into bare (at_id, amount) values ($1, $2), ($1, $3), ($2, $3)'
  const measured: Row[] = []
  const bare = () => owner.query({ name: 'bare', text: insert, values: [1, 2, 3] })
  const throughTransact = () => transact(database, (tx) => sql`insert into bare (at_id, amount) values (1, 2), (1, 3), (2, 3)`.execute(tx))
  for (const round of [1, 2]) {
    measured.push({ name: `bare inserts of three rows, ${round}`, figure: await repeat(bare, terms) })
    measured.push({ name: `the same by the program’s own way, ${round}`, figure: await repeat(throughTransact, terms) })
    measured.push({ name: `transfers, ${round}`, figure: await repeat(() => pay(ids), terms) })
    measured.push({ name: `all to one, ${round}`, figure: await repeat(() => pay(ids, ids[0]), terms) })
    measured.push({ name: `hidden parts opened for points, ${round}`, figure: await repeat(open, terms) })
  }
  print(measured)
  const began = performance.now()
  const breaches = await wallet.breachesIn(database, wallet.ledgerChecks, null)
  console.log(
    `${transfers} transfers, ${opened} parts opened; the books were checked in ${Math.round(performance.now() - began)} ms: ${breaches.length} breaches`,
  )
  await database.close()
  await owner.end()

  function credit(to: string) {
    const cause = { kind: freeKinds.gift, source: `bench:${to}`, by: { kind: 'forum' }, account: 'adjustment' } as const
    return transact(database, (tx) => wallet.credit(tx, { ...cause, to, currency: 'points', amount: toMinor(1_000_000) }))
  }

  /** Each member opens the part of one author after another, never their own. */
  function open() {
    const number = opened++
    const [buyer, author] = [number % members, (number + 1 + Math.floor(number / members)) % members]
    const member = { id: ids[buyer], sessionId: '', may: () => true } as unknown as Member
    return transact(database, (tx) => buy(tx, member, { partId: `h_${ids[author]}`, price: '3' }))
  }

  function pay(all: readonly string[], one?: string) {
    const number = ++transfers
    const [from = '', to = ''] = [all[1 + ((number * 7) % (members - 1))], one ?? all[1 + ((number * 13 + 5) % (members - 1))]]
    if (from === to) return Promise.resolve()
    const cause = { kind: freeKinds.payment, source: `bench:${number}`, by: { kind: 'member', id: from } } as const
    return transact(database, (tx) => wallet.payAtCommit(tx, { ...cause, from, to, currency: 'points', amount: toMinor(3) }, sql`id`))
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A topic by each member, with a part that costs three points. */
async function hideParts(owner: pg.Pool): Promise<void> {
  await owner.query("insert into tag (key, name_zh, name_en) values ('bench', '茶', 'Tea')")
  await owner.query(`
    insert into topic (tag_id, author_id, title, body, segments, summary, locks)
    select tag.id, member.id, 'A topic', '{"type":"doc","content":[]}', '[]', '', '{points}' from member, tag where tag.key = 'bench'`)
  await owner.query(`
    insert into hidden.part (id, topic_id, position, lock, needs, document, segments, file_ids)
    select 'h_' || author_id, id, 0, 'points', 3, '{"type":"doc","content":[]}', '[]', '{}' from topic`)
}
