import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#base/server/embedded.ts'
import { withDatabase } from '#base/testing/database.ts'
import { migrate } from '#database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: { owner: string; template: string; /** What files of a run may share lies here. */ folder: string }
  }
}

const template = 'teahouse_template'

/** Starts one PostgreSQL for the whole run, with a migrated database to copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(quickFolder(), 'teahouse-test-'))
  const server = await startEmbedded(folder, quiet, { forTests: true })
  await query(server.ownerUrl, `create database ${template}`)
  await migrate(withDatabase(server.ownerUrl, template))
  project.provide('database', { owner: server.ownerUrl, template, folder })
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const memory = '/dev/shm'
const roomNeeded = 4 * 1024 ** 3

// Each file of tests copies a database of a thousand files, which takes a third of the time where files lie in memory.
function quickFolder(): string {
  if (!existsSync(memory) || freemem() < roomNeeded) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < roomNeeded ? tmpdir() : memory
}

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (...said: unknown[]) => console.error(...said),
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
