import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freePort } from '#base/testing/free-port.ts'
import { until } from '#base/testing/waits.ts'
import { buildImage } from './testing/image.ts'

let image: Awaited<ReturnType<typeof buildImage>>
let volume: string
let port: number
let container: ChildProcess
let output = ''

beforeAll(async () => {
  image = await buildImage()
  port = await freePort()
  // As an engine fills a new volume: like the folder of the image.
  volume = mkdtempSync(join(tmpdir(), 'teahouse-volume-'))
  afterFile(async () => rmSync(volume, { recursive: true, force: true }))
  mkdirSync(join(volume, 'backups'))
  for (const folder of [volume, join(volume, 'backups')]) chownSync(folder, 10_001, 10_001)
  container = start(...image.config.Entrypoint, ...image.config.Cmd)
  afterFile(async () => void container.kill('SIGKILL'))
  await until(() => output.includes('Teahouse is ready') || container.exitCode !== null)
})

test('the image serves pages from its embedded database, as its user, with a root that it cannot write', async () => {
  const [health, page, picture] = await Promise.all(['/health', '/', '/share/1.png'].map(get))
  expect([health?.status, page?.status, picture?.status]).toEqual([200, 200, 200])
  expect(await page?.text()).toContain('</html>')
  expect(output).not.toMatch(/"level":"(warn|error|fatal)"|Warning|EACCES|EPERM|EROFS/)
  expect(existsSync(join(volume, 'postgres'))).toBe(true)
})

test('the image has no secret, no test and no package for development', () => {
  expect(image.config.Env.join('\n')).not.toMatch(/KEY|PASSWORD|SECRET|TOKEN/)
  const program = join(image.files, 'srv/teahouse')
  for (const path of ['.git', 'data', 'e2e', 'base/testing', 'node_modules/vitest', 'scripts/node.test.ts'])
    expect([path, existsSync(join(program, path))]).toEqual([path, false])
})

test('an engine asks the process alone whether the container is well', () => {
  expect(image.config.Healthcheck.Test.join(' ')).toContain('/health/live')
})

test('the operator’s tool makes a backup in the running container’s volume', async () => {
  const within = ['--target', firstProcess(), '--mount', '--pid', '--ipc', '--root']
  const user = ['setpriv', '--reuid', image.config.User, '--regid', image.config.User, '--init-groups', 'env', '-i']
  const place = [`--chdir=${image.config.WorkingDir}`, ...variables()]
  const tool = await promisify(execFile)('nsenter', [...within, ...user, ...place, ...image.config.Entrypoint, 'teahouse', 'backup'])
  expect(tool.stdout).toContain('/data/backups/')
})

test('SIGTERM to the first process of the container stops the forum in order', async () => {
  const ended = once(container, 'exit')
  process.kill(Number(firstProcess()), 'SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(output).toContain('Stopping: requests finish first')
  expect(existsSync(join(volume, 'postgres/cluster/postmaster.pid'))).toBe(false)
})

function start(...program: string[]): ChildProcess {
  const { User, WorkingDir } = image.config
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', 'sh', join(import.meta.dirname, 'testing/run.sh')]
  const words = [...namespaces, image.files, volume, User, WorkingDir, ...variables(), ...program]
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  return child
}

function variables(): string[] {
  const ours = { PORT: port, HOST: '127.0.0.1', TEAHOUSE_PROCESSES: 1, TEAHOUSE_URL: `http://localhost:${port}` }
  return [...image.config.Env, ...Object.entries(ours).map((entry) => entry.join('='))]
}

function firstProcess(): string {
  const [first = ''] = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').split(' ')
  return first
}

function get(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`)
}
