import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { aSmallProxy } from '#base/testing/small-proxy.ts'
import { durableDatabase, startProgram, type RunningProgram } from '#base/testing/start-program.ts'
import { aCertificate } from '#payment/testing/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-doctor-'))
const certificate = aCertificate('localhost', { until: 60 })
const authority = join(folder, 'authority.pem')
writeFileSync(authority, certificate.certificate)

let own: Awaited<ReturnType<typeof durableDatabase>>
let server: RunningProgram
let env: Record<string, string>

/** A forum behind a proxy with TLS, both on this machine. */
async function startForum(trusted: string, options: { leaves?: boolean } = {}): Promise<void> {
  const port = await freePort()
  const site = await aSmallProxy({ upstream: `http://127.0.0.1:${port}`, certificate, ...options })
  env = {
    DATABASE_URL: own.url,
    TEAHOUSE_DATA: join(folder, 'data'),
    TEAHOUSE_KEY: testKey,
    PORT: String(port),
    HOST: '127.0.0.1',
    TEAHOUSE_URL: site.origin,
    TEAHOUSE_TRUSTED_PROXIES: trusted,
    TEAHOUSE_PROCESSES: '1',
    NODE_EXTRA_CA_CERTS: authority,
  }
  server = startProgram('main.ts', [], env)
  await server.says('Teahouse is ready')
}

/** The report of the command, and its status. */
async function doctor(): Promise<{ report: string; status: number }> {
  const program = join(import.meta.dirname, '../teahouse.ts')
  const all = { PATH: process.env['PATH'], NODE_ENV: 'production', ...env }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'doctor'], { env: all })
    return { report: stdout, status: 0 }
  } catch (error) {
    const { stderr, code } = error as { stderr: string; code: number }
    return { report: stderr, status: code }
  }
}

beforeAll(async () => {
  own = await durableDatabase()
})
afterAll(async () => {
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('behind a proxy that does all right, nothing is wrong but what a new forum lacks', async () => {
  await startForum('127.0.0.1')
  const { report, status } = await doctor()
  await server.stop()
  expect(report.split('\n').filter((line) => line.startsWith('UNKNOWN'))).toEqual([])
  expect(report.split('\n').filter((line) => line.startsWith('WRONG'))).toEqual([expect.stringContaining('There is no backup.')])
  expect(report).toMatch(/^\d\d checks were fine\.$/m)
  expect(status).toBe(1)
})

test('a proxy that is not trusted is told of, with its address', async () => {
  await startForum('10.9.8.7')
  const { report } = await doctor()
  await server.stop()
  expect(report).toContain('WRONG    The proxy at 127.0.0.1 isn’t trusted')
})

test('a proxy that keeps streams that were left is told of', async () => {
  await startForum('127.0.0.1', { leaves: false })
  const { report } = await doctor()
  await server.stop()
  expect(report).toMatch(/^WARNING {2}Even \d+ seconds after a page was closed, the forum doesn’t hear of it\./m)
})

test('of a forum that is stopped, the rest is told', async () => {
  const { report, status } = await doctor()
  expect(report).toContain('no running forum answers at its port on this machine')
  expect(report).toMatch(/^WRONG {4}Nothing answers at https:\/\/localhost:\d+ \(status 502\)/m)
  expect(report).toMatch(/^\d\d checks were fine\.$/m)
  expect(status).toBe(1)
})
