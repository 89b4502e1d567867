import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Refusal } from '#base/contract.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import type { Member } from '#base/server/http/route.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { buy } from '#membership/server/buy.ts'
import { aCard } from '#membership/testing/factories.ts'
import { toMinor } from '#wallet/contract.ts'
import { declareFreeKinds, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { repeat } from './repeat.ts'
import { print, type Row } from './table.ts'

// Purchases of membership cards, each durable, compared with bare inserts of as many rows in one transaction each; and a rush: twice as
// many buyers as units of one card.
const terms = { seconds: Number(process.env['BENCH_SECONDS'] ?? 5), connections: 16 }
const buyers = 2_000
const units = 1_000
const folder = mkdtempSync(join(tmpdir(), 'teahouse-membership-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
try {
  await migrate(server.ownerUrl)
  const owner = new pg.Pool({ connectionString: server.ownerUrl, max: terms.connections })
  const database = openDatabase(addressesOf(server.ownerUrl), { features, size: terms.connections, onLost: () => undefined })
  await owner.query(declareFreeKinds)
  await owner.query("insert into role (name_zh, name_en) values ('雅座', 'Silver')")
  await owner.query(
    "insert into member (account, account_key, password_hash) select 'm' || n, 'm' || n, '' from generate_series(1, $1::int) as n",
    [buyers],
  )
  await owner.query('create table bare (id bigint generated always as identity primary key, at_id bigint, amount bigint not null)')
  const { rows } = await owner.query<{ id: string }>('select id from member order by id')
  const ids = rows.map(({ id }) => id)
  for (const to of ids) {
    const cause = { kind: freeKinds.gift, source: `bench:${to}`, by: { kind: 'forum' }, account: 'adjustment' } as const
    await transact(database, (tx) => wallet.credit(tx, { ...cause, to, currency: 'points', amount: toMinor(1_000_000) }))
  }
  const { rows: roles } = await owner.query<{ id: string }>("select id from role where name_en = 'Silver'")
  const { ids: specifications } = await aCard(database, roles[0]?.id ?? '', [
    { points: 3, unit: 'hour' },
    { points: 3, unit: 'hour', stock: units },
  ])
  const [free = '', few = ''] = specifications
  let bought = 0
  const bare = () => owner.query({ name: 'bare', text: 'insert into bare (at_id, amount) values (1, 2), (1, 3), (2, 3)' })
  const measured: Row[] = []
  for (const round of [1, 2]) {
    measured.push({ name: `bare inserts of three rows, ${round}`, figure: await repeat(bare, terms) })
    measured.push({
      name: `purchases without a limit of stock, ${round}`,
      figure: await repeat(() => one(free, ids[bought++ % buyers]), terms),
    })
  }
  print(measured)
  await owner.end()

  const times: number[] = []
  let sold = 0
  const began = performance.now()
  const waiting = [...ids]
  await Promise.all(Array.from({ length: terms.connections }, rush))
  times.sort((a, b) => a - b)
  const took = performance.now() - began
  const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? 0)
  console.log(
    `${buyers} buyers of ${units} units: ${sold} sold in ${Math.round(took)} ms; an answer at the median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
  await database.close()

  function one(specificationId: string, id = '') {
    const member = { id, sessionId: '', may: () => true } as unknown as Member
    return transact(database, (tx) =>
      buy(tx, member, { specificationId, quantity: 1, upgrades: false, cash: toMinor(0), points: toMinor(3) }),
    )
  }

  // As many at once as the server lets through to the database; the others queue.
  async function rush(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const from = performance.now()
      await one(few, id).then(
        () => void sold++,
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        },
      )
      times.push(performance.now() - from)
    }
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
