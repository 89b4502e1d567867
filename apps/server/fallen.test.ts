import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readPidFile } from '#base/server/embedded-pid-file.ts'
import { aFreePort } from '#base/testing/free-port.ts'

// The program as operators start it, with its own database, which falls.
const started: { program: ChildProcess; folder: string }[] = []
const whileStarting = { timeout: 100_000, interval: 10 }

afterEach(async () => {
  for (const { program, folder } of started.splice(0)) {
    if (program.exitCode === null && program.kill('SIGTERM')) await once(program, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
})

async function aServer() {
  const [port, folder] = [await aFreePort(), mkdtempSync(join(tmpdir(), 'teahouse-fallen-'))]
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    TEAHOUSE_DATA: folder,
    TEAHOUSE_PROCESSES: '1',
    TEAHOUSE_SAMPLE: '0',
  }
  const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push({ program, folder })
  let said = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += String(text)))
  const cluster = join(folder, 'postgres/cluster')
  const ask = () =>
    new Promise<number | undefined>((done) => {
      get(`http://localhost:${port}/api/baseInfo`, { agent: false }, (answer) => done(answer.resume().statusCode)).once('error', () =>
        done(0),
      )
    })
  return {
    program,
    cluster,
    said: () => said,
    answers: async () => {
      await expect.poll(ask, { timeout: 100_000 }).toBe(200)
    },
    postmaster: () => readPidFile(cluster),
  }
}

async function newPostmaster({ postmaster }: Awaited<ReturnType<typeof aServer>>, before = 0): Promise<number> {
  await expect.poll(() => postmaster()?.isReady === true && postmaster()?.pid !== before, whileStarting).toBe(true)
  return postmaster()?.pid ?? 0
}

test.each(['SIGKILL', 'SIGTERM'] as const)('a server whose PostgreSQL is told to end by %s goes on with another', async (signal) => {
  const server = await aServer()
  await server.answers()
  for (let times = 0, pid = 0; times < 2; times++) {
    pid = await newPostmaster(server, pid)
    process.kill(pid, signal)
    await newPostmaster(server, pid)
    await server.answers()
  }
  expect(server.program.exitCode).toBeNull()
})

test('one whose PostgreSQL falls while it starts begins again', async () => {
  const server = await aServer()
  process.kill(await newPostmaster(server), 'SIGKILL')
  await server.answers()
  expect(server.said()).toContain('The start begins again')
})

test('one whose data is gone ends, and says what to do', async () => {
  const server = await aServer()
  await server.answers()
  const pid = await newPostmaster(server)
  const gone = once(server.program, 'exit')
  rmSync(server.cluster, { recursive: true, force: true })
  if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
  expect(await gone).toEqual([1, null])
  expect(server.said()).toContain('Bring it back before you start again')
})
