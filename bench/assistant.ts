import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import { aMember } from '#account/testing/factories.ts'
import { openApp } from '#apps/server/app.ts'
import { withModel } from '#assistant/testing/factories.ts'
import { readConfig } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact } from '#base/server/database/database.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import * as setting from '#setting/server/setting.ts'
import type { ProviderRequest } from './assistant-provider.ts'

// Answers streamed to 200 clients at once from one process, compared with bare Node proxying the same stream.
const streams = Number(process.env['BENCH_STREAMS'] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'teahouse-assistant-'))
const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }
const server = await startEmbedded(folder, quiet)
const other = fork(new URL('assistant-provider.ts', import.meta.url))
try {
  const [{ port }] = (await once(other, 'message')) as [{ port: number }]
  await migrate(server.ownerUrl)
  const database = openDatabase(addressesOf(server.ownerUrl), { features, onLost: () => undefined })
  const config = { ...readConfig({ TEAHOUSE_DATA: folder, TEAHOUSE_KEY: 'ab'.repeat(32) }), development: false }
  const app = await openApp({ config, database, log: pino({ level: 'warn' }), checked: false })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await withModel(database, { address: `http://127.0.0.1:${port}/v1` })
  await transact(database, (tx) => setting.change(tx, 'assistantStreams', 10_000, 'bench'))
  const { cookie, token } = await writeToken(address)
  const asking: ProviderRequest[] = []
  for (let n = 0; n < streams; n++) {
    const here = { ip: '127.0.0.1', language: 'en', userAgent: 'bench' } as const
    const { pair } = await aMember(database, { account: `reader_${n}`, password: 'a-quiet-evening', ...here })
    asking.push({
      address,
      path: '/api/assistant/ask',
      body: `prompt=Tell+me+of+tea+${n}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-requested-with': 'XMLHttpRequest',
        cookie,
        'bbs-xsrf-token': token,
        authorization: `Bearer ${pair.accessToken},${pair.refreshToken}`,
      },
    })
  }
  const bare = await bareProxy(port)
  const plain = asking.map((one) => ({ ...one, address: bare.address, path: '/' }))
  console.log('                       first word p50 ms  p99 ms  loop p99 ms  MB more  failed')
  await measure('bare Node', plain)
  await measure('an answer of ours', asking)
  bare.close()
  await app.close()
  await database.close()
} finally {
  other.kill()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, wanted: ProviderRequest[]): Promise<void> {
  global.gc?.()
  const before = process.memoryUsage().rss
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100)
  other.send(wanted)
  const [{ took, failed }] = (await once(other, 'message')) as [{ took: number[]; failed: string[] }]
  clearInterval(watch)
  delay.disable()
  const sorted = took.toSorted((one, another) => one - another)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0).padStart(7)
  const loop = (delay.percentile(99) / 1e6).toFixed(0).padStart(12)
  const more = ((most - before) / 1024 / 1024).toFixed(0).padStart(8)
  console.log(name.padEnd(22), at(0.5).padStart(17), at(0.99), loop, more, String(failed.length).padStart(7))
  if (failed[0]) console.log(failed[0])
}

async function writeToken(address: string): Promise<{ cookie: string; token: string }> {
  const { promise, resolve } = Promise.withResolvers<http.IncomingMessage>()
  http.get(new URL('/api/baseInfo', address), resolve)
  const response = await promise
  response.resume()
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { cookie, token: cookie.split('=')[1] ?? '' }
}

async function bareProxy(port: number) {
  const proxy = http.createServer((request, response) => {
    request.resume()
    const asked = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/v1', agent: false }, (answer) => answer.pipe(response))
    asked.end('{}')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const its = proxy.address()
  const { port: own } = typeof its === 'object' && its ? its : { port: 0 }
  return { address: `http://127.0.0.1:${own}`, close: () => proxy.close() }
}
