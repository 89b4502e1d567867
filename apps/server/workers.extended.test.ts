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

test('two processes answer at one port, and say once that they do', async () => {
  expect(answering()).toHaveLength(2)
  expect(output.match(/Teahouse is ready/g)).toHaveLength(1)
  expect(output.match(/The administrator is/g)).toHaveLength(1)
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]))
})

test('a killed worker takes no other along, and another takes its place', async () => {
  const [one = 0, other = 0] = answering()
  process.kill(one, 'SIGKILL')
  // Once its last socket is closed.
  await expect.poll(() => existsSync(`/proc/${one}`), { interval: 1 }).toBe(false)
  for (let n = 0; n < 20; n++) expect(await ask()).toBe(200)
  await expect.poll(() => answering().length).toBe(2)
  expect(answering()).toContain(other)
  expect(output).toContain('Another one takes its place')
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
