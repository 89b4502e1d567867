import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import { callsAtOnce, claimers, claimsOf, envelopeGiver, requestsAtOnce } from './envelope-claims.ts'
import type { BenchForumOptions, ReadyForum } from './forum.ts'
import { repeat } from './repeat.ts'
import { startForum, type RunningForum } from './start-forum.ts'
import { bareWithStatements, type Answers } from './statements.ts'
import { figureOf, print, type Row } from './table.ts'
import { load, type LoadRequest } from './wrk.ts'

// Claims over HTTP, of one server process and of two: a thousand members at once on an envelope of a hundred shares; claims of one envelope
// of very many, each durable and paid meanwhile, compared with bare updates of the next free row; and answers to others meanwhile. On a
// busy machine the ratios count.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_TURNS'] ?? 3)
const connections = 16
// Others use few connections and read uncached pages.
const readers = 4
const littleRoom = 600_000
// The limit of wrk's script.
const mostClaims = 25_000
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-envelopes-'))
const order = { dataDir, comments: Number(process.env['BENCH_COMMENTS'] ?? 20_000), cacheBytes: littleRoom }
const started: RunningForum[] = []
try {
  const one = await begun(order)
  const two = await begun({ ...order, shared: { databaseUrl: one.forum.ownerUrl } })
  const [first, second] = [one.forum, two.forum]
  const owner = new pg.Pool({ connectionString: first.ownerUrl, max: connections })
  owner.on('error', () => undefined)
  const database = openDatabase(addressesOf(first.ownerUrl), { features, size: connections, onLost: () => undefined })
  const { giver, ids } = await claimers(owner, mostClaims)
  const give = envelopeGiver(database, giver, first.topics.slice(-100))
  await owner.query('create table bare (place int primary key, member_id bigint)')
  await owner.query('insert into bare select n from generate_series(1, 200000) as n')
  await owner.query('create index on bare (place) where member_id is null')
  await owner.query('vacuum analyze bare')

  const senders = [
    ['without HTTP', (envelopeId: string) => callsAtOnce(database, ids.slice(0, 1_000), envelopeId)],
    ['one process', (envelopeId: string) => requestsAtOnce([first], envelopeId, 1_000)],
    ['two processes', (envelopeId: string) => requestsAtOnce([first, second], envelopeId, 1_000)],
  ] as const
  for (let round = 0; round < rounds; round++)
    for (const [name, send] of senders) {
      const envelopeId = await give(100)
      const { took, opened } = await send(envelopeId)
      const { p50, p99 } = figureOf(took, 1)
      console.log(`1,000 members at once, 100 shares, ${name}: ${opened} opened, median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
      await payAll(database)
      await paid(envelopeId)
    }

  for (let round = 0; round < rounds; round++)
    print([
      { name: 'bare updates of the next free row', figure: await repeat(bareUpdate, { seconds, connections }) },
      await claimed([first]),
      await claimed([first, second]),
    ])

  for (const [name, asks] of pages(first)) await meanwhile(name, asks)
  await database.close()
  await owner.end()

  async function begun(its: BenchForumOptions): Promise<RunningForum> {
    const running = await startForum(its)
    started.unshift(running)
    return running
  }

  function bareUpdate() {
    return owner.query({
      name: 'bare',
      text: 'update bare set member_id = 1 where place = (select place from bare where member_id is null order by place limit 1 for update skip locked)',
    })
  }

  /** Claims of one envelope, with the same number of connections in all. */
  async function claimed(forums: readonly ReadyForum[]): Promise<Row> {
    const { envelopeId, figures } = await claiming(forums, seconds, async () => undefined)
    const { rows } = await owner.query<{ count: number }>(
      'select count(member_id)::int as count from red_envelope_share where envelope_id = $1',
      [envelopeId],
    )
    if (figures.some(({ failed }) => failed > 0)) throw new Error('A claim was refused')
    const [p50, p99] = (['p50', 'p99'] as const).map((part) => Math.max(...figures.map((figure) => figure[part])))
    const began = performance.now()
    await paid(envelopeId)
    console.log(`${rows[0]?.count} shares, the last of them paid ${Math.round(performance.now() - began)} ms after the load`)
    const perSecond = (rows[0]?.count ?? 0) / seconds
    return { name: `claims of one envelope, ${named(forums)}`, figure: { perSecond, p50: p50 ?? 0, p99: p99 ?? 0, failed: 0 } }
  }

  /** Runs `action` while members claim as fast as they are answered. */
  async function claiming<T>(forums: readonly ReadyForum[], long: number, action: () => Promise<T>) {
    const envelopeId = await give(100_000)
    const each = Math.floor(ids.length / forums.length)
    const loads = forums.map(async ({ url }, n) =>
      load(url, await claimsOf(url, { envelopeId, from: n * each, to: (n + 1) * each }), long, connections / forums.length),
    )
    const claimed = 'select from red_envelope_share where envelope_id = $1 and member_id is not null limit 1'
    while (!(await owner.query(claimed, [envelopeId])).rowCount) await setTimeout(5)
    const came = await action()
    return { envelopeId, figures: await Promise.all(loads), came }
  }

  async function paid(envelopeId: string): Promise<void> {
    const unpaid = 'select from red_envelope_share where envelope_id = $1 and member_id is not null and transaction_id is null limit 1'
    while ((await owner.query(unpaid, [envelopeId])).rowCount) await setTimeout(5)
  }

  /** Reads by others without claims and with them, by the forum that takes the claims and by bare Node with the same statements. */
  async function meanwhile(name: string, asks: readonly LoadRequest[]): Promise<void> {
    const answers: Answers = {}
    for (const { path } of asks.slice(0, 100)) {
      const asked = await one.statementsOf(async () => (await fetch(first.url + path)).arrayBuffer())
      // Background work of the forum is no part of an answer.
      answers[`/?n=${Object.keys(answers).length}`] = asked.filter(({ text }) => !/\b(insert|update|delete)\b/.test(text))
    }
    const bare = await bareWithStatements(first.appUrl, answers)
    const same = Object.keys(answers).map((path) => ({ path }))
    for (let round = 0; round < rounds; round++)
      for (const [whose, url, all] of [
        ['bare Node', bare.url, same],
        ['forum', first.url, asks],
      ] as const) {
        const alone = await load(url, all, seconds, readers)
        const { came, envelopeId } = await claiming([first], seconds + 1, () => load(url, all, seconds, readers))
        await paid(envelopeId)
        const [times, later] = [came.perSecond / alone.perSecond, came.p50 / alone.p50]
        console.log(
          `${name}, ${whose.padEnd(9)}: ${Math.round(alone.perSecond)} a second, p50 ${alone.p50.toFixed(1)} ms; with claims ${Math.round(came.perSecond)}, p50 ${came.p50.toFixed(1)} ms: ${times.toFixed(2)} times as many, after ${later.toFixed(2)} times as long`,
        )
      }
    bare.close()
  }
} finally {
  for (const { stop } of started) await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function named(forums: readonly ReadyForum[]): string {
  return forums.length === 1 ? 'one process' : 'two processes'
}

function pages({ topics }: ReadyForum): [string, LoadRequest[]][] {
  return [
    ['a topic', topics.slice(0, -100).map((id) => ({ path: `/api/thread?topicId=${id}` }))],
    [
      'a list',
      ['reply', 'new'].flatMap((sort) => Array.from({ length: 60 }, (_, n) => ({ path: `/api/topic/list?sort=${sort}&page=${n + 1}` }))),
    ],
  ]
}
