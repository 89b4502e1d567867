import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import { startProgram } from '#base/testing/start-program.ts'
import { findProgram } from '../../tools/find-program.ts'

// A real Prometheus scrapes a real forum: two processes on a database with a replica.
const [prometheus, promtool] = [await findProgram('prometheus'), await findProgram('promtool')]
const { folder } = inject('database')
const at = (name: string) => join(import.meta.dirname, name)
const alerts = readFileSync(at('alerts.yml'), 'utf8')
const dashboard = readFileSync(at('../grafana/teahouse.json'), 'utf8')
const token = 'a-token-nobody-guesses'
const [forumPort, prometheusPort] = [await freePort(), await freePort()]
const forumUrl = `http://localhost:${forumPort}`
const replicated = await replicatedDatabase(folder)
const forum = startProgram('main.ts', [], {
  PORT: String(forumPort),
  DATABASE_URL: replicated.ownerUrl,
  DATABASE_REPLICA_URL: replicated.replicaUrl,
  TEAHOUSE_KEY: testKey,
  TEAHOUSE_DATA: join(folder, 'scraped'),
  TEAHOUSE_PROCESSES: '2',
  TEAHOUSE_METRICS_TOKEN: token,
})
let scraper: ChildProcess | null = null
afterAll(async () => {
  if (scraper && scraper.exitCode === null) {
    const exited = once(scraper, 'exit')
    scraper.kill('SIGKILL')
    await exited
  }
  await forum.stop()
  await replicated.stop()
})

type Answer = { status: string; error?: string; data: { result: { metric: Record<string, string>; value: [number, string] }[] } }

async function ask(query: string): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/query?${new URLSearchParams({ query })}`)
  return (await answer.json()) as Answer
}

async function startScraping(): Promise<void> {
  const file = join(folder, 'token')
  writeFileSync(file, token)
  const config = readFileSync(at('prometheus.yml'), 'utf8')
    .replaceAll('15s', '1s')
    .replace('alerts.yml', at('alerts.yml'))
    .replace('/etc/prometheus/teahouse-token', file)
    .replace(/static_configs:[^]*/, `static_configs:\n      - targets: ['localhost:${forumPort}']\n`)
  const configFile = join(folder, 'prometheus.yml')
  writeFileSync(configFile, config)
  const place = [`--config.file=${configFile}`, `--storage.tsdb.path=${join(folder, 'prometheus')}`]
  scraper = spawn(prometheus, [...place, `--web.listen-address=127.0.0.1:${prometheusPort}`, '--log.level=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await expect.poll(() => ask('up').catch(() => null)).not.toBeNull()
}

async function visit(): Promise<void> {
  for (const path of ['/index', '/api/topic/list', '/api/baseInfo', '/api/thread?topicId=0', '/nowhere']) {
    await (await fetch(`${forumUrl}${path}`, { redirect: 'manual' })).arrayBuffer()
  }
}

const scrapes = async () => Number((await ask(`count_over_time(up{job="teahouse"}[1h])`)).data.result[0]?.value[1] ?? 0)

test('promtool accepts the rules, their tests and the configuration', () => {
  const check = (...words: string[]) => execFileSync(promtool, words, { cwd: import.meta.dirname }).toString()
  expect(check('check', 'rules', 'alerts.yml')).toContain('SUCCESS')
  expect(check('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  expect(check('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS')
})

test('each alert names a heading of the page for operators', () => {
  const page = readFileSync(at('../../docs/operations.md'), 'utf8')
  const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text)))
  const runbooks = [...alerts.matchAll(/runbook: operations\.md#(\S+)/g)].map(([, anchor]) => anchor)
  expect(runbooks).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0)
  expect(runbooks.filter((anchor) => !headings.has(anchor ?? ''))).toEqual([])
})

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

// Payments are there once a provider is set up.
const empty = /teahouse_payments/

test('each query of the dashboard has data', async () => {
  await forum.says('Teahouse is ready')
  await startScraping()
  const before = await scrapes()
  await expect
    .poll(async () => {
      await visit()
      return scrapes()
    })
    .toBeGreaterThan(before + 5)
  const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets?: { expr: string }[] }[] }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')))
  expect(queries.length).toBeGreaterThan(20)
  for (const query of queries.filter((one) => !empty.test(one))) {
    await expect
      .poll(async () => [query, (await ask(query)).data?.result.filter(({ value }) => value[1] !== 'NaN').length ?? 0])
      .not.toEqual([query, 0])
  }
  for (const query of queries.filter((one) => empty.test(one))) expect([query, (await ask(query)).status]).toEqual([query, 'success'])
})

test('the alerts see each process once, and none is raised for a forum that is well', async () => {
  const answer = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/rules`)
  const { data } = (await answer.json()) as { data: { groups: { rules: { name: string; health: string; state: string }[] }[] } }
  const rules = data.groups.flatMap((group) => group.rules)
  expect(rules.filter(({ health }) => health === 'err')).toEqual([])
  expect(rules.filter(({ state, name }) => state === 'firing' && !/Disk/.test(name))).toEqual([])
  expect((await ask('count(nodejs_eventloop_lag_p99_seconds)')).data.result[0]?.value[1]).toBe('2')
})

test('each metric that an alert or the dashboard names is one of the forum', async () => {
  const text = await (await fetch(`${forumUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
  const given = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const named = new Set(
    [...`${alerts}${dashboard}`.matchAll(/\b(?:teahouse|nodejs|process)_[a-z0-9_]+(?=[{[) ]|\\"|$)/gm)].map(([name]) => name),
  )
  const known = (name: string) => given.has(name) || given.has(name.replace(/_(count|sum|bucket)$/, ''))
  expect([...named].filter((name) => !known(name))).toEqual([])
  expect(named.size).toBeGreaterThan(12)
})
