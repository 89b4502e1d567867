import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isPostgresOf, readPidFile } from '#base/server/postgres/pid-file.ts'
import { freePort } from '#base/testing/free-port.ts'

// Runs the program as operators start it, with an embedded PostgreSQL that crashes.
const started: { program: ChildProcess; folder: string }[] = []
const whileStarting = { interval: 10 }

afterEach(async () => {
  for (const { program, folder } of started.splice(0)) {
    if (program.exitCode === null && program.kill('SIGTERM')) await once(program, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
})

async function aServer() {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'teahouse-fallen-'))]
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
  let output = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += String(text)))
  const cluster = join(folder, 'postgres/cluster')
  const ask = () =>
    new Promise<number | undefined>((resolve) => {
      get(`http://localhost:${port}/api/baseInfo`, { agent: false }, (answer) => resolve(answer.resume().statusCode)).once('error', () =>
        resolve(0),
      )
    })
  return {
    program,
    cluster,
    output: () => output,
    isReady: async () => {
      await expect.poll(() => output).toContain('The administrator is')
    },
    answers: async () => {
      await expect.poll(ask).toBe(200)
    },
    postmaster: () => readPidFile(cluster),
  }
}

/** The pid of a new PostgreSQL that accepts connections; the pid file of a dead one does not count. */
async function newPostmaster({ postmaster, cluster }: Awaited<ReturnType<typeof aServer>>, before?: number): Promise<number> {
  let found: number | undefined
  const look = () => {
    const file = postmaster()
    if (file?.isReady && file.pid !== before && isPostgresOf(file.pid, cluster)) found = file.pid
    return found
  }
  await expect.poll(look, whileStarting).toBeGreaterThan(1)
  if (!found) throw new Error('There is no PostgreSQL')
  return found
}

test.each(['SIGKILL', 'SIGTERM'] as const)('a server whose PostgreSQL is ended by %s continues with another', async (signal) => {
  const server = await aServer()
  await server.isReady()
  let pid = await newPostmaster(server)
  for (let times = 0; times < 2; times++) {
    process.kill(pid, signal)
    pid = await newPostmaster(server, pid)
    await server.answers()
  }
  expect(server.program.exitCode).toBeNull()
})

// It may crash before the start has queried it; then the start need not begin again.
test('a PostgreSQL killed during the start is replaced, and the server answers', async () => {
  const server = await aServer()
  const pid = await newPostmaster(server)
  process.kill(pid, 'SIGKILL')
  await newPostmaster(server, pid)
  await server.answers()
  expect(server.program.exitCode).toBeNull()
})

test('a missing data folder ends the server with an instruction', async () => {
  const server = await aServer()
  await server.isReady()
  const pid = await newPostmaster(server)
  const exited = once(server.program, 'exit')
  // In one step: while files are deleted one by one, PostgreSQL may miss one of them and end by itself.
  renameSync(server.cluster, `${server.cluster}-away`)
  process.kill(pid, 'SIGKILL')
  expect(await exited).toEqual([1, null])
  expect(server.output()).toContain('Bring it back before you start again')
})
