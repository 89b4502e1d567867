import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend } from '#apps/server/frontend.ts'
import { openStore } from '#apps/server/store.ts'
import { readConfig } from '#base/server/config.ts'
import { seedFirst } from '#database/seed.ts'
import { load, type Figure } from './wrk.ts'

type Row = { name: string; figure: Figure }

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-bench-'))
const config = { ...readConfig({ TEAHOUSE_DATA: dataDir }), development: false }
const log = pino({ level: 'error' })

const store = await openStore(config, log)
try {
  await seedFirst(store.database, config)
  const rows = await measure()
  print(rows)
  mkdirSync('bench/results', { recursive: true })
  writeFileSync('bench/results/latest.json', `${JSON.stringify(rows, null, 2)}\n`)
} finally {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<Row[]> {
  const topics = await store.database.reader.selectFrom('topic').select('id').where('status', '=', 'published').execute()
  const paths = topics.flatMap(({ id }) => ['asc', 'desc'].map((order) => `/thread?topicId=${id}&order=${order}`))
  const lists = Array.from({ length: 40 }, (_, n) => `/index?sort=${n % 2 ? 'new' : 'reply'}&page=${1 + (n % 3)}&tagId=${1 + (n % 20)}`)

  const warm = await served(undefined)
  const first = `/thread?topicId=${topics[0]?.id}`
  const bytes = await (await fetch(warm.url + first)).text()
  const bare = await bareServer(bytes)
  const rows: Row[] = [
    { name: 'bare node:http, the same bytes', figure: await load(bare.url, ['/'], seconds) },
    { name: '/index, warm', figure: await load(warm.url, ['/index'], seconds) },
    { name: '/thread, warm', figure: await load(warm.url, [first], seconds) },
    {
      name: '/api/thread, any topic, warm',
      figure: await load(
        warm.url,
        topics.map(({ id }) => `/api/thread?topicId=${id}`),
        seconds,
      ),
    },
  ]
  await warm.close()
  const cold = await served(0)
  rows.push({ name: '/index, each made anew', figure: await load(cold.url, lists, seconds) })
  rows.push({ name: '/thread, each made anew', figure: await load(cold.url, paths, seconds) })
  rows.push({
    name: '/api/thread, each from the database',
    figure: await load(
      cold.url,
      topics.map(({ id }) => `/api/thread?topicId=${id}`),
      seconds,
    ),
  })
  await cold.close()
  bare.close()
  return rows
}

async function served(cacheBytes: number | undefined): Promise<{ url: string; close(): Promise<void> }> {
  const app = await openApp({
    config,
    database: store.database,
    log,
    openFrontend: builtFrontend,
    ...(cacheBytes !== undefined && { cacheBytes }),
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => app.close() }
}

// The baseline runs in a process of its own, as the load does.
async function bareServer(body: string): Promise<{ url: string; close(): void }> {
  const code = `const b=Buffer.from(process.argv[1],'base64');require('http').createServer((q,s)=>{s.setHeader('content-type','text/html');s.end(b)}).listen(0,'127.0.0.1',function(){console.log(this.address().port)})`
  const child = spawn(process.execPath, ['-e', code, Buffer.from(body).toString('base64')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((heard) => child.stdout.once('data', (text) => heard(String(text).trim())))
  return { url: `http://127.0.0.1:${port}`, close: () => void child.kill() }
}

function print(rows: readonly Row[]): void {
  const base = rows[0]?.figure.perSecond ?? 1
  for (const { name, figure } of rows) {
    const { perSecond, p50, p99, failed } = figure
    console.log(
      `${name.padEnd(40)} ${String(Math.round(perSecond)).padStart(7)}/s  ${(perSecond / base).toFixed(3).padStart(6)}  p50 ${p50}  p99 ${p99}${failed ? `  ${failed} failed` : ''}`,
    )
  }
}
