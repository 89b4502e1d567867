import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { patienceMs } from '#base/testing/patience.ts'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
const here = (file: string) => JSON.stringify(join(import.meta.dirname, file))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['process.exit(7)', 7],
  ['process.kill(process.pid, "SIGKILL")', 137],
])('the exit code of the program is ours: %s', async (program, code) => {
  const { script } = run(serving(program))
  expect(await once(script, 'exit')).toEqual([code, null])
})

test('a server makes itself ready while the rest is prepared, and is told when that is done', async () => {
  const go = join(folder, 'go')
  const { script, waitForLine, lines } = run(
    serving(waiting, `async () => { while (!existsSync(${JSON.stringify(go)})) await setTimeout(20); console.log('the rest is done') }`),
  )
  const ended = once(script, 'exit')
  await waitForLine('begun')
  writeFileSync(go, '')
  await waitForLine('finished')
  expect(await ended).toEqual([7, null])
  expect(lines().filter((line) => line !== 'finished')).toEqual(['begun', 'the rest is done', 'prepared'])
})

test('a server whose preparation fails hears of it, however late it listens, and ends before the script', async () => {
  const late = `while (process.connected) await new Promise((go) => setTimeout(go, 20))\n${waiting}`
  const { script, waitForLine } = run(serving(late, `async () => { throw new Error('no clay') }`))
  const ended = once(script, 'exit')
  await waitForLine('not prepared')
  expect(await ended).toEqual([1, null])
})

test('a program of the terminal gets our input and gives us its exit code', async () => {
  const { script } = run(`
    import { starter, useTool } from ${here('program.mjs')}
    const program = 'process.stdin.on("data", (text) => process.exit(Number(text)))'
    process.exitCode = await useTool(starter(process.execPath, ['-e', program], {}))`)
  script.stdin?.end('5')
  expect(await once(script, 'exit')).toEqual([5, null])
})

test.each(['SIGINT', 'SIGTERM'] as const)('the server gets one %s, even if the script gets two', async (signal) => {
  const { script, waitForLine } = run(serving(server))
  await waitForLine('ready')
  script.kill(signal)
  await waitForLine(signal)
  script.kill(signal)
  expect(await once(script, 'exit')).toEqual([3, null])
})

test('the server stops when we are killed', async () => {
  const { script, waitForLine } = run(serving(server))
  await waitForLine('ready')
  script.kill('SIGKILL')
  await waitForLine('its starter is gone')
})

test('the server stops when the npm that started us is killed', async () => {
  const npm = spawn('sh', ['-c', '"$0" --input-type=module -e "$1" & wait', process.execPath, serving(server)], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  const { waitForLine } = listen(npm)
  await waitForLine('ready')
  npm.kill('SIGKILL')
  await waitForLine('SIGTERM')
})

test('a server in development restarts after a change of its files, and not of tests and pages', async () => {
  for (const path of ['base/web', 'base/server']) mkdirSync(join(folder, path), { recursive: true })
  const { script, waitForLine } = run(`
    import { starter } from ${here('program.mjs')}
    import { serveAndRestart } from ${here('restart.mjs')}
    process.exitCode = await serveAndRestart(${JSON.stringify(folder)}, starter(process.execPath, ${JSON.stringify(programOf(server))}, {}))`)
  await waitForLine('ready')
  for (const quiet of ['base/web/page.tsx', 'base/web/call.ts', 'base/server/log.test.ts']) writeFileSync(join(folder, quiet), '')
  await expect(waitForLine('SIGTERM', { timeout: 600 })).rejects.toThrow('Timed out')
  writeFileSync(join(folder, 'base/server/log.ts'), '')
  await waitForLine('SIGTERM')
  await waitForLine('ready', { times: 2 })
  script.kill('SIGTERM')
  expect(await once(script, 'exit')).toEqual([3, null])
})

/** Prints the reason of its shutdown, and ends a moment later. */
const server = `
  import { onShutdown } from ${here('../base/server/shutdown-signal.ts')}
  const work = setInterval(() => {}, 1000)
  onShutdown((why) => { console.log(why); process.exitCode = 3; setTimeout(() => clearInterval(work), 300) })
  console.log('ready')`

/** Waits for the pages late. */
const waiting = `
  import { pagesBuilt } from ${here('../apps/server/pages-built.ts')}
  console.log('begun')
  const isBuilt = await pagesBuilt()
  console.log(isBuilt ? 'prepared' : 'not prepared')
  process.exitCode = isBuilt ? 7 : 1`

function serving(program: string, prepare?: string): string {
  return `
    import { existsSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    import { serve, starter } from ${here('program.mjs')}
    const rest = ${prepare ? `{ prepare: ${prepare}, finish: async (signal) => console.log('finished') }` : 'undefined'}
    process.exitCode = await serve(starter(process.execPath, ${JSON.stringify(programOf(program))}, {}), rest)`
}

function programOf(text: string): string[] {
  return ['--input-type=module', '-e', text]
}

function run(text: string) {
  const script = spawn(process.execPath, programOf(text), { env: { ...process.env, npm_lifecycle_event: undefined } })
  return { script, ...listen(script) }
}

function listen(script: ChildProcess) {
  let output = ''
  for (const stream of [script.stdout, script.stderr]) stream?.on('data', (text) => (output += text))
  const lines = () => output.split('\n').filter(Boolean)
  const waitForLine = (word: string, { timeout = patienceMs(), times = 1 } = {}) =>
    vi.waitUntil(() => lines().filter((line) => line === word).length >= times, { timeout })
  return { lines, waitForLine }
}
