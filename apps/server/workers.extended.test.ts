import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#base/testing/free-port.ts'

// Runs the program as operators start it, with an embedded database and two workers.
const folder = mkdtempSync(join(tmpdir(), 'teahouse-processes-'))
const token = 'a-token-nobody-guesses'
let port: number
let program: ChildProcess
let output = ''

beforeAll(async () => {
  port = await freePort()
  program = start()
  await new Promise<void>((ready, fail) => {
    program.once('close', () => fail(new Error(`It ended: ${output}`)))
    program.stdout?.on('data', () => void (output.includes('The administrator is') && ready()))
  })
})
afterAll(async () => {
  if (program.exitCode === null) program.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

function start(): ChildProcess {
  const started = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      TEAHOUSE_DATA: folder,
      TEAHOUSE_PROCESSES: '2',
      TEAHOUSE_SAMPLE: '0',
      TEAHOUSE_METRICS_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (text) => (output += String(text)))
  return started
}

const answering = () =>
  execFileSync('ps', ['--ppid', String(program.pid), '-o', 'pid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes('main.ts'))
    .map((line) => Number(line.trim().split(' ')[0]))

const memoryOf = (pid: number) => Number(execFileSync('ps', ['-p', String(pid), '-o', 'rss=']).toString())

// Each on a connection of its own.
const ask = () =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`http://localhost:${port}/api/baseInfo`, { agent: new Agent({ keepAlive: false }) }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    }).once('error', reject)
  })

const metrics = () =>
  new Promise<string>((resolve, reject) => {
    const options = { agent: new Agent({ keepAlive: false }), headers: { authorization: `Bearer ${token}` } }
    get(`http://localhost:${port}/metrics`, options, (answer) => {
      let text = ''
      answer.on('data', (piece) => (text += String(piece))).once('end', () => resolve(text))
    }).once('error', reject)
  })

const answersIn = (text: string) => Number(/^teahouse_answer_seconds_count\{route="\/api\/baseInfo",.* (\d+)$/m.exec(text)?.[1] ?? 0)

test('two processes answer at one port, and say once that they do', async () => {
  expect(answering()).toHaveLength(2)
  expect(output.match(/Teahouse is ready/g)).toHaveLength(1)
  expect(output.match(/The administrator is/g)).toHaveLength(1)
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
})

test('whichever process is asked for metrics, it gives the sums of all, and what belongs to one by its number', async () => {
  const before = answersIn(await metrics())
  await Promise.all(Array.from({ length: 20 }, ask))
  for (let n = 0; n < 6; n++) expect(answersIn(await metrics())).toBe(before + 20)
  const text = await metrics()
  for (const number of [1, 2]) expect(text).toContain(`nodejs_eventloop_lag_p99_seconds{process="${number}"}`)
  expect(text).toContain('teahouse_pool_connections{process="2",pool="app",state="waiting"} 0')
  expect(text.match(/^teahouse_books\{what="frozen"\} 0$/gm)).toHaveLength(1)
  expect(text.match(/^# TYPE (\S+) /gm)).toHaveLength(new Set(text.match(/^# TYPE (\S+) /gm)).size)
})

test('a killed worker takes no other along, and another takes its place', async () => {
  const [one = 0, other = 0] = answering()
  const counted = answersIn(await metrics())
  process.kill(one, 'SIGKILL')
  // Once its last socket is closed.
  await expect.poll(() => existsSync(`/proc/${one}`), { interval: 1 }).toBe(false)
  for (let n = 0; n < 20; n++) expect(await ask()).toBe(200)
  await expect.poll(() => answering().length).toBe(2)
  expect(answering()).toContain(other)
  expect(output).toContain('Another one takes its place')
  // What it counted stays: Prometheus would take a lower sum for a restart of all.
  expect(answersIn(await metrics())).toBe(counted + 20)
  await expect.poll(metrics).toMatch(/process="1"[^]*process="2"/)
})

test('the supervising process has not loaded the modules of the workers', async () => {
  await expect.poll(() => Math.min(...answering().map(memoryOf))).toBeGreaterThan(2 * memoryOf(program.pid ?? 0))
})

test('told to stop, all finish their begun requests', async () => {
  const all = answering()
  const exited = once(program, 'exit')
  program.kill('SIGTERM')
  const [code] = await exited
  expect(code).toBe(0)
  for (const pid of all) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
