import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { coldRows, warmRows, warmViews, type RequestRows } from './requests.ts'
import type { ReadyForum } from './forum.ts'
import { startForum, type RunningForum } from './start-forum.ts'
import { printSensitiveWords } from './sensitive-words.ts'
import { bareWithStatements, type Answers } from './statements.ts'
import { print, type Row } from './table.ts'
import { load, type LoadRequest } from './wrk.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 100_000)
// Only rows with this in their name.
const only = process.env['BENCH_ROWS'] ?? ''
// Cache for content shared by many pages, such as the tags and the hot list, and for few pages beside it.
const littleRoom = 600_000
// A folder to fill once and to measure again.
const keptDir = process.env['BENCH_DATA']
const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'teahouse-bench-'))
try {
  console.log(`${comments} made-up comments, ${seconds} s for each row, 16 connections`)
  // Seeds in another process, so that it does not count as the forum's memory.
  await measured(null, () => [])
  const warm = async (forum: ReadyForum) => [...warmRows(forum), ...(await warmViews(forum))]
  const rows = [...(await measured(null, warm)), ...(await measured(littleRoom, coldRows))]
  print(rows)
  printSensitiveWords()
  mkdirSync('bench/results', { recursive: true })
  writeFileSync('bench/results/latest.json', `${JSON.stringify({ comments, seconds, rows }, null, 2)}\n`)
} finally {
  if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
}

type Plan = (forum: ReadyForum) => RequestRows | Promise<RequestRows>

/** Starts a forum, loads the bare server and then each row of the plan, and stops it. */
async function measured(cacheBytes: number | null, plan: Plan): Promise<Row[]> {
  const running = await startForum({ dataDir, comments, cacheBytes })
  const { forum, state, stop } = running
  const rows: Row[] = []
  try {
    await setTimeout(5_000)
    const idle = await state()
    const asked = (await plan(forum)).filter(([name]) => name.includes(only))
    const sample = asked[0]?.[1][0]
    rows.push({ name: 'bare node:http', figure: await sameBytes(forum.url, sample ?? { path: '/index' }) })
    for (const [name, asks] of asked) {
      if (name.includes('kept')) await askEach(forum.url, asks)
      await load(forum.url, asks, 1)
      await state()
      const figure = await load(forum.url, asks, seconds)
      const row: Row = { name, figure, state: await state(), alone: await load(forum.url, asks, 1, 1) }
      rows.push({ ...row, ...(await sameOf(running, asks, cacheBytes !== null)) })
    }
    const loaded = await state()
    rows.push(
      { name: 'from the start to the first page, ms', note: Math.round(forum.startMs) },
      { name: 'memory idle, MB', note: Math.round(idle.megabytes) },
      { name: 'memory after all of this, MB', note: Math.round(loaded.megabytes) },
    )
  } finally {
    await stop()
  }
  return rows
}

/** The baseline of a row: bare Node with its bytes and headers, or with its statements. Pages made anew and writes have none. */
async function sameOf(running: RunningForum, asks: readonly LoadRequest[], isCold: boolean): Promise<Pick<Row, 'same'>> {
  const [first] = asks
  if (!first || asks.some(({ body }) => body !== undefined)) return {}
  if (!isCold) return asks.length === 1 ? { same: await sameBytes(running.forum.url, first) } : {}
  return asks.every(({ path }) => path.startsWith('/api/')) ? { same: await sameBare(running, asks) } : {}
}

/** Bare Node with the bytes and headers of an answer. */
async function sameBytes(url: string, { path, headers = {} }: LoadRequest) {
  const bare = await bareServer(await answerOf(url + path, headers))
  try {
    return await load(bare.url, [{ path: '/' }], seconds)
  } finally {
    bare.close()
  }
}

/** Bare Node with the statements of some of these requests, as the forum runs them with warm caches. */
async function sameBare({ forum, statementsOf }: RunningForum, asks: readonly LoadRequest[]) {
  const answers: Answers = {}
  for (const { path, headers } of asks) {
    const statements = await statementsOf(async () => (await fetch(forum.url + path, { headers: headers ?? {} })).arrayBuffer())
    // The load before has left some answers in the cache.
    if (statements.length > 0) answers[`/?n=${Object.keys(answers).length}`] = statements
    if (Object.keys(answers).length === 100) break
  }
  const bare = await bareWithStatements(forum.appUrl, answers)
  try {
    return await load(
      bare.url,
      Object.keys(answers).map((path) => ({ path })),
      seconds,
    )
  } finally {
    bare.close()
  }
}

// Fills the cache.
async function askEach(url: string, asks: readonly LoadRequest[]): Promise<void> {
  for (const { path, headers } of asks) await (await fetch(url + path, { headers: headers ?? {} })).arrayBuffer()
}

type Answer = { headers: string[]; body: Buffer }

// As it is sent: fetch would decompress it.
async function answerOf(url: string, headers: Record<string, string>): Promise<Answer> {
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage]
  const pairs = response.rawHeaders.flatMap((name, n, all) => (n % 2 === 0 ? [[name, all[n + 1] ?? ''] as const] : []))
  return { headers: pairs.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)).flat(), body: await buffer(response) }
}

// The baseline runs in a process of its own, as the forum and the load do.
async function bareServer({ headers, body }: Answer): Promise<{ url: string; close(): void }> {
  const code = `let b='';process.stdin.on('data',(d)=>b+=d).on('end',()=>{const{headers,body}=JSON.parse(b),s=Buffer.from(body,'base64');require('http').createServer((_,r)=>{r.writeHead(200,headers);r.end(s)}).listen(0,'127.0.0.1',function(){console.log(this.address().port)})})`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ headers, body: body.toString('base64') }))
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, close: () => void child.kill() }
}
