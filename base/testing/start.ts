import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { withDatabase } from '#base/testing/database.ts'
import { freePort } from '#base/testing/free-port.ts'
import { startOtherPostgres } from '#base/testing/other-postgres.ts'
import { startRedis } from '#base/testing/redis.ts'
import { replicatedDatabase } from '#base/testing/replica.ts'
import { missingGuards } from '#database/guards.ts'
import { migrate } from '#database/migrate.ts'
import { declareFreeKinds } from '#wallet/testing/factories.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: {
      owner: string
      template: string
      /** The folder shared by the files of a run. */
      folder: string
      /** Set if all tests run against two servers. */
      replica: string | null
      redis: string | null
    }
  }
}

const template = 'teahouse_template'

/** `SERVERS=2`: each test forum has a second server on the same database, with a replica and Redis. */
const isDoubled = process.env['SERVERS'] === '2'

/** The folder of the programs of another PostgreSQL than the bundled one, for all tests: `npm test -- --postgres=FOLDER`. */
const otherPrograms = process.env['TEST_POSTGRES']

/** Starts one PostgreSQL for the run, with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(fastFolder(), 'teahouse-test-'))
  const { owner, replica, redis, stop } = await (isDoubled ? startWithReplica(folder) : startSingle(folder))
  await query(owner, `create database ${template}`)
  await migrate(withDatabase(owner, template))
  await query(withDatabase(owner, template), declareFreeKinds)
  if (otherPrograms) await keepWording(withDatabase(owner, template))
  project.provide('database', { owner, template, folder, replica, redis })
  return async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startSingle(folder: string) {
  const { ownerUrl: owner, stop } = otherPrograms
    ? await startOtherPostgres(folder, { programs: otherPrograms, forTests: true })
    : await startEmbedded(folder, quiet, { forTests: true })
  return { owner, replica: null, redis: null, stop }
}

/** Another version words guards in its own way, which a start recognizes and stores for the checks of the books. */
async function keepWording(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const missing = await missingGuards(client)
  await client.end()
  if (missing.length > 0) throw new Error(missing.join('\n'))
}

async function startWithReplica(folder: string) {
  const [replicated, redis] = [await replicatedDatabase(folder), await startRedis(await freePort())]
  const stop = async () => {
    await redis.stop()
    await replicated.stop()
  }
  return { owner: replicated.ownerUrl, replica: replicated.replicaUrl, redis: redis.url, stop }
}

const memory = '/dev/shm'
const minFreeBytes = 4 * 1024 ** 3

// Each test file copies a database of a thousand files, which takes a third of the time in memory.
function fastFolder(): string {
  if (!existsSync(memory) || freemem() < minFreeBytes) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < minFreeBytes ? tmpdir() : memory
}

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (...args: unknown[]) => console.error(...args),
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
