import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { threadKinds, threadPath, type ThreadKind } from '#kind/contract.ts'
import { startForum } from './start-forum.ts'
import { load, type LoadRequest } from './wrk.ts'

// A question's page compared with a thread's of the same length, in one run: both are loaded in turns, and the median of the ratios counts.
// On a busy machine CPU time per page tells more than pages per second.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const turns = Number(process.env['BENCH_TURNS'] ?? 5)
// Only rows with this in their name.
const only = process.env['BENCH_ROWS'] ?? ''
// The number of threads of each kind, and their floors.
const lengths = [
  { floors: 10, many: 150 },
  { floors: 10_000, many: 1 },
] as const
const perPage = 30
const littleRoom = 600_000
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-bench-'))

type Threads = Record<ThreadKind, string[]>

try {
  const filled: Threads[] = []
  await withForum(null, async (forum) => {
    for (const { floors, many } of lengths) filled.push(await beside(forum.ownerUrl, forum.longest.id, { floors, many }))
    for (const [at, { floors }] of lengths.entries()) await compare(forum, `${floors} floors, kept`, (kind) => firstOf(filled[at], kind))
  })
  await withForum(littleRoom, async (forum) => {
    for (const [at, { floors }] of lengths.entries())
      await compare(forum, `${floors} floors, made anew`, (kind) => allOf(filled[at], kind, floors))
  })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

type LoadedForum = { url: string; ownerUrl: string; pid: number; longest: { id: string } }

async function withForum(cacheBytes: number | null, action: (forum: LoadedForum) => Promise<void>): Promise<void> {
  const { forum, stop } = await startForum({ dataDir, comments: 20_000, cacheBytes })
  try {
    await action(forum)
  } finally {
    await stop()
  }
}

function firstOf(threads: Threads | undefined, kind: ThreadKind): LoadRequest[] {
  return (threads?.[kind] ?? []).slice(0, 1).map((id) => ({ path: threadPath(id, kind) }))
}

/** Every page of every thread, more than the cache holds. */
function allOf(threads: Threads | undefined, kind: ThreadKind, floors: number): LoadRequest[] {
  const pages = Array.from({ length: Math.ceil(floors / perPage) }, (_, at) => at + 1)
  return (threads?.[kind] ?? []).flatMap((id) => pages.map((page) => ({ path: `${threadPath(id, kind)}&page=${page}` })))
}

async function compare({ url, pid }: LoadedForum, name: string, asksFor: (kind: ThreadKind) => LoadRequest[]): Promise<void> {
  if (!name.includes(only)) return
  const [rates, works]: [number[], number[]] = [[], []]
  for (const kind of threadKinds) await load(url, asksFor(kind), 1)
  for (let turn = 0; turn < turns; turn++) {
    const now = { topic: { rate: 0, work: 0 }, question: { rate: 0, work: 0 } }
    // The second one finds a warmer machine.
    for (const kind of turn % 2 ? threadKinds.toReversed() : threadKinds) {
      const before = workOf(pid)
      const { perSecond: rate, failed } = await load(url, asksFor(kind), seconds)
      if (failed > 0) throw new Error(`${failed} were not answered: ${name}`)
      now[kind] = { rate, work: (workOf(pid) - before) / (rate * seconds) }
    }
    rates.push(now.question.rate / now.topic.rate)
    works.push(now.question.work / now.topic.work)
  }
  console.log(`${name.padEnd(28)} question to thread: per second ${spread(rates)}, Node's work for each ${spread(works)}`)
}

/** The median and the range. */
function spread(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((one, other) => one - other).map((ratio) => ratio.toFixed(2))
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`
}

/** The CPU time of a process in milliseconds. */
function workOf(pid: number): number {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = after.split(' ').map(Number)
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10
}

/** Threads of each kind with the same content; the questions have an accepted answer in the middle. */
async function beside(ownerUrl: string, modelId: string, { floors, many }: { floors: number; many: number }): Promise<Threads> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const made: Threads = { topic: [], question: [] }
    for (const kind of threadKinds)
      for (let count = 0; count < many; count++) made[kind].push(await oneThread(client, modelId, kind, floors))
    await client.query('analyze topic, comment, adoption, topic_tag')
    return made
  } finally {
    await client.end()
  }
}

async function oneThread(client: pg.Client, modelId: string, kind: ThreadKind, floors: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into topic (kind, tag_id, author_id, title, body, segments, summary, published_at, last_reply_at, floors, comment_count)
     select $2, tag_id, author_id, title, body, segments, summary, published_at, last_reply_at, $3::int, $3::int from topic where id = $1
     returning id`,
    [modelId, kind, floors],
  )
  const id = rows[0]?.id ?? ''
  await client.query(
    `with said as (
       select author_id, body, segments, text, row_number() over (order by floor) as number, count(*) over () as many
       from (select * from comment where topic_id = $1 and status = 'published' and quotes is null order by floor limit 500) as few)
     insert into comment (topic_id, thread_kind, author_id, floor, body, segments, text, published_at)
     select $2, $3, author_id, floor, body, segments, text, now() - ($4 - floor) * interval '1 minute'
     from generate_series(1, $4::int) as floor join said on said.number = floor % said.many + 1`,
    [modelId, id, kind, floors],
  )
  if (kind === 'question') {
    await client.query(
      'insert into adoption (topic_id, comment_id, author_id) select topic_id, id, author_id from comment where topic_id = $1 and floor = $2',
      [id, Math.ceil(floors / 2)],
    )
    await client.query('update topic set is_resolved = true where id = $1', [id])
  }
  return id
}
