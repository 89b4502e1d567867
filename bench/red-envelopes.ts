import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase, transact } from '#base/server/database.ts'
import { startEmbedded } from '#base/server/embedded.ts'
import type { Member } from '#base/server/route.ts'
import { addressesOf, migrate } from '#database/migrate.ts'
import { claim } from '#red-envelope/server/claim.ts'
import { open } from '#red-envelope/server/give.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import { minorOf } from '#wallet/contract.ts'
import { endow } from '#wallet/server/example.ts'
import { repeat } from './repeat.ts'
import { print, type Row } from './table.ts'

// A thousand members at once on an envelope of a hundred shares; and claims of one envelope with very many, paid meanwhile, beside bare updates of the
// next free row.
const terms = { seconds: Number(process.env['BENCH_SECONDS'] ?? 5), connections: 16 }
const folder = mkdtempSync(join(tmpdir(), 'teahouse-envelopes-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
try {
  await migrate(server.ownerUrl)
  const owner = new pg.Pool({ connectionString: server.ownerUrl, max: terms.connections })
  const database = openDatabase(addressesOf(server.ownerUrl), { size: terms.connections, onLost: () => undefined })
  await owner.query(
    "insert into member (account, account_key, password_hash, joined_at) select 'm' || n, 'm' || n, '', now() - interval '9 days' from generate_series(1, 100000) as n",
  )
  const { rows: members } = await owner.query<{ id: string }>('select id from member order by id')
  await owner.query('create table bare (place int primary key, member_id bigint)')
  await owner.query('insert into bare select n from generate_series(1, 100000) as n')
  await owner.query('create index on bare (place) where member_id is null')
  await owner.query("insert into tag (key, name_zh, name_en) values ('bench', '茶', 'Tea')")
  await owner.query('vacuum analyze')

  const hundred = await anEnvelope(100, 10_000)
  const times: number[] = []
  const answers = await Promise.allSettled(
    members.slice(1, 1_001).map(async ({ id }) => {
      const began = performance.now()
      await claimed(id, hundred).finally(() => times.push(performance.now() - began))
    }),
  )
  await payAll(database)
  const { rows: paid } = await owner.query('select paid, paid_amount, state from red_envelope where id = $1', [hundred])
  const [p50, p99] = [0.5, 0.99].map((part) =>
    Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0),
  )
  const opened = answers.filter(({ status }) => status === 'fulfilled').length
  console.log(`1,000 members at once, 100 shares: ${opened} opened, ${JSON.stringify(paid[0])}, median ${p50} ms, p99 ${p99} ms`)

  const many = await anEnvelope(100_000, 1_000_000)
  let next = 0
  const paying = setInterval(() => void payAll(database), 250)
  const bare = () =>
    owner.query({
      name: 'bare',
      text: 'update bare set member_id = 1 where place = (select place from bare where member_id is null order by place limit 1 for update skip locked)',
    })
  const measured: Row[] = [
    { name: 'bare updates of the next free row', figure: await repeat(bare, terms) },
    { name: 'claims of one envelope, paid meanwhile', figure: await repeat(() => claimed(members[++next]?.id ?? '', many), terms) },
  ]
  clearInterval(paying)
  const began = performance.now()
  await payAll(database)
  print(measured)
  console.log(`the rest was paid ${Math.round(performance.now() - began)} ms after the last claim`)
  for (const pool of [owner]) pool.on('error', () => undefined)
  await database.close()
  await owner.end()

  async function anEnvelope(quantity: number, amount: number): Promise<string> {
    const giver = members[0]?.id ?? ''
    await endow(database, giver, amount)
    const { rows: topics } = await owner.query<{ id: string }>(
      `insert into topic (tag_id, author_id, title, body, segments, summary, status, published_at, last_reply_at)
        select id, $1, 'Tea', '{"type":"doc","content":[]}', '[]', '', 'published', now(), now() from tag limit 1 returning id`,
      [giver],
    )
    return transact(database, async (tx) => {
      const { id } = await tx
        .insertInto('red_envelope')
        .values({
          giver_id: giver,
          kind: 'random',
          topic_id: topics[0]?.id ?? null,
          currency: 'points',
          amount: String(amount),
          quantity,
          cover: 'tea',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const its = { id, giverId: giver, kind: 'random', currency: 'points', amount: minorOf(amount), quantity, receiverId: null } as const
      await open(tx, its)
      return id
    })
  }

  async function claimed(memberId: string, envelopeId: string): Promise<void> {
    const member = { id: memberId, may: () => true } as unknown as Member
    await transact(database, (tx) => claim(tx, member, envelopeId))
  }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
