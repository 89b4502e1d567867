import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { features } from '#apps/server/features.ts'
import { openDatabase, transact, type Database } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { testKey } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { siteName } from './certificate.ts'
import { aFolder, untilIn } from './part.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
const metricsToken = 'a-token-for-metrics'

/** A server as an operator starts it: in production, with the built pages. */
export type OperatedServer = {
  port: number
  signal(signal: NodeJS.Signals): void
  /** The number of open streams, from its metrics. */
  streams(): Promise<number>
}

export type OperatedForum = { servers: readonly OperatedServer[]; database: Database }

/** A forum with the sample community on so many servers, which trust proxies of this machine. */
export async function anOperatedForum({ servers = 1 } = {}): Promise<OperatedForum> {
  const folder = aFolder()
  // The test run's own database is not durable, which a forum in production refuses.
  const { ownerUrl, stop } = await startEmbedded(folder, quiet)
  afterFile(stop)
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATABASE_URL: ownerUrl,
    TEAHOUSE_DATA: folder,
    TEAHOUSE_KEY: testKey,
    TEAHOUSE_PROCESSES: '1',
    TEAHOUSE_URL: `https://${siteName}`,
    TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    TEAHOUSE_METRICS_TOKEN: metricsToken,
  }
  const started = [await startServer(env)]
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 4, minSize: 0, onLost: () => undefined })
  afterFile(() => database.close())
  await transact(database, (tx) => applySettings(tx, { ...lenientSettings, registerCaptcha: false }))
  while (started.length < servers) started.push(await startServer(env))
  return { servers: started, database }
}

const program = fileURLToPath(new URL('../../apps/server/main.ts', import.meta.url))

async function startServer(env: Record<string, string>): Promise<OperatedServer> {
  const port = await freePort()
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  afterFile(() => end(child))
  // A file that fails while it starts has no end.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await untilIn(child, async () => (await fetch(`${url}/health`).catch(() => null))?.ok)
  return {
    port,
    signal: (signal) => void child.kill(signal),
    async streams() {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
      const [, count] = /^teahouse_streams (\d+)$/m.exec(await answer.text()) ?? []
      expect(count).toBeDefined()
      return Number(count)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
