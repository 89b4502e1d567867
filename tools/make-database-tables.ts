import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { guardsText } from '#database/guards.ts'
import { migrate } from '#database/migrate.ts'
import { tablesText } from './tables-text.ts'

/** Writes database/tables.ts and database/guards.txt from the database at the given address, or from a new one with every migration. */
async function makeTables(address: string | undefined): Promise<void> {
  const { text, guards } = address ? await readFrom(address) : await readFromNew()
  writeFileSync(new URL('../database/tables.ts', import.meta.url), text)
  writeFileSync(new URL('../database/guards.txt', import.meta.url), guards)
  console.log(`database/tables.ts describes ${text.match(/^export interface /gm)?.length ?? 1} shapes.`)
}

type GeneratedFiles = { text: string; guards: string }

async function readFromNew(): Promise<GeneratedFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-tables-'))
  const server = await startEmbedded(folder, quiet, { forTests: true })
  try {
    await migrate(server.ownerUrl)
    return await readFrom(server.ownerUrl)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function readFrom(address: string): Promise<GeneratedFiles> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return { text: await tablesText(client), guards: await guardsText(client) }
  } finally {
    await client.end()
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error }

await makeTables(process.argv[2])
