import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Order, Ready, State } from './forum.ts'
import { printSensitiveWords } from './sensitive-words.ts'
import { print, type Row } from './table.ts'
import { load, type Ask } from './wrk.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const comments = Number(process.env['BENCH_COMMENTS'] ?? 100_000)
// Only the rows whose name has this in it.
const only = process.env['BENCH_ROWS'] ?? ''
// As the settings stand.
const perPage = 30
// Room for what many pages share, such as the tags and the hot list, and for few pages beside it.
const littleRoom = 600_000
const comment = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: '第三泡最好喝。Infusion NUMBER is the best.' }] }],
}

const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-bench-'))
try {
  console.log(`${comments} made-up comments, ${seconds} s for each row, 16 connections`)
  // What filling took is not to be counted as the forum's memory, so another process fills it.
  await measured(null, async () => [])
  const rows = [...(await measured(null, warmRows)), ...(await measured(littleRoom, coldRows))]
  print(rows)
  printSensitiveWords()
  mkdirSync('bench/results', { recursive: true })
  writeFileSync('bench/results/latest.json', `${JSON.stringify({ comments, seconds, rows }, null, 2)}\n`)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

type Plan = (forum: Ready) => Promise<[name: string, asks: Ask[]][]>

/** Starts a forum, loads it with each row of the plan after the bare server beside it, and stops it. */
async function measured(cacheBytes: number | null, plan: Plan): Promise<Row[]> {
  const order: Order = { dataDir, comments, cacheBytes }
  const child = fork(new URL('forum.ts', import.meta.url), [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const forum = await heard<Ready>(child)
  const rows: Row[] = []
  try {
    await setTimeout(5_000)
    const idle = await stateOf(child)
    const asked = (await plan(forum)).filter(([name]) => name.includes(only))
    const sample = asked[0]?.[1][0]
    const bare = await bareServer(await (await fetch(forum.url + (sample?.path ?? '/index'))).arrayBuffer())
    rows.push({ name: 'bare node:http', figure: await load(bare.url, [{ path: '/' }], seconds) })
    bare.close()
    for (const [name, asks] of asked) {
      if (name.includes('kept')) await askEach(forum.url, asks)
      await load(forum.url, asks, 1)
      await stateOf(child)
      const figure = await load(forum.url, asks, seconds)
      rows.push({ name, figure, state: await stateOf(child) })
    }
    const loaded = await stateOf(child)
    rows.push(
      { name: 'from the start to the first page, ms', note: Math.round(forum.startMs) },
      { name: 'memory idle, MB', note: Math.round(idle.megabytes) },
      { name: 'memory after all of this, MB', note: Math.round(loaded.megabytes) },
    )
  } finally {
    child.send('stop')
    await once(child, 'exit')
  }
  return rows
}

async function warmRows({ topics, longest }: Ready): Promise<[string, Ask[]][]> {
  const some = topics.slice(0, 300)
  return [
    ['/index, kept', [{ path: '/index' }]],
    ['/thread, kept', [{ path: `/thread?topicId=${longest.id}` }]],
    ['/thread, 300 kept', some.map((id) => ({ path: `/thread?topicId=${id}` }))],
    ['/api/thread, one', [{ path: `/api/thread?topicId=${longest.id}` }]],
    ['/api/thread, 300 kept', some.map((id) => ({ path: `/api/thread?topicId=${id}` }))],
  ]
}

async function coldRows(forum: Ready): Promise<[string, Ask[]][]> {
  const { topics, longest, members, pairs } = forum
  const pages = Math.ceil(longest.floors / perPage)
  const mine = pairs.map((pair) => ({ authorization: `Bearer ${pair}` }))
  const token = await xsrfOf(forum.url)
  const body = new URLSearchParams({ body: JSON.stringify(comment) })
  return [
    ['/index, made anew', lists(Math.min(120, Math.floor(topics.length / perPage))).map((path) => ({ path }))],
    ['/thread, made anew', topics.map((id) => ({ path: `/thread?topicId=${id}` }))],
    ['/api/thread, from the database', topics.map((id) => ({ path: `/api/thread?topicId=${id}` }))],
    ['/api/comment/list, any topic', topics.map((id) => ({ path: `/api/comment/list?topicId=${id}&page=1` }))],
    [`/api/comment/list, first 100 of ${pages} pages`, hundred(longest.id, 1)],
    [`/api/comment/list, last 100 of ${pages} pages`, hundred(longest.id, Math.max(1, pages - 99))],
    ['/api/search, any of 240 queries', searches().map((path) => ({ path }))],
    ['a member: /api/comment/mine', mine.map((headers, n) => ({ path: `/api/comment/mine?topicId=${topics[n]}`, headers }))],
    ['/api/user/control/home', members.map((id) => ({ path: `/api/user/control/home?userId=${id}` }))],
    [
      'a member: post a comment',
      mine.map((headers, n) => ({
        path: '/api/comment/add',
        headers: { ...headers, ...token, 'content-type': 'application/x-www-form-urlencoded' },
        body: `topicId=${topics[(n * 7) % topics.length]}&${body}`,
      })),
    ],
  ]
}

function hundred(topicId: string, from: number): Ask[] {
  return Array.from({ length: 100 }, (_, n) => ({ path: `/api/comment/list?topicId=${topicId}&page=${from + n}` }))
}

// Words that people look for.
function searches(): string[] {
  const file = new URL('../features/search/server/relevance/queries.txt', import.meta.url)
  const lines = readFileSync(file, 'utf8').split('\n')
  const keywords = lines.flatMap((line) => line.split(' | ')[0]?.trim() || [])
  return keywords.map((keyword) => `/api/search?${new URLSearchParams({ keyword })}`)
}

function lists(pages: number): string[] {
  return ['reply', 'new'].flatMap((sort) => Array.from({ length: pages }, (_, n) => `/index?sort=${sort}&page=${1 + n}`))
}

// So that what is kept is there, as it is when it is asked for.
async function askEach(url: string, asks: readonly Ask[]): Promise<void> {
  for (const { path } of asks) await (await fetch(url + path)).arrayBuffer()
}

async function xsrfOf(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/baseInfo`)
  const cookie = /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  return { cookie, 'bbs-xsrf-token': cookie.slice(cookie.indexOf('=') + 1), 'x-requested-with': 'XMLHttpRequest', origin: url }
}

async function stateOf(child: ChildProcess): Promise<State> {
  child.send('state')
  return heard<State>(child)
}

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((hear, fail) => {
    const ended = () => fail(new Error('The forum ended before it answered'))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      hear(message as T)
    })
  })
}

// The baseline runs in a process of its own, as the forum and the load do.
async function bareServer(body: ArrayBuffer): Promise<{ url: string; close(): void }> {
  const code = `let b;process.stdin.on('data',(d)=>b=b?Buffer.concat([b,d]):d).on('end',()=>require('http').createServer((q,s)=>{s.setHeader('content-type','text/html');s.end(b)}).listen(0,'127.0.0.1',function(){console.log(this.address().port)}))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(Buffer.from(body))
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, close: () => void child.kill() }
}
