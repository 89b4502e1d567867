import { basename } from 'node:path'
import pg from 'pg'
import * as audit from '#audit/server/audit.ts'
import { openDatabase } from '#base/server/database/database.ts'
import type { Manifest, BackupProgress } from '#database/backup-folder.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { pending } from '#database/migrate.ts'
import { restore } from '#database/restore.ts'
import * as wallet from '#wallet/server/wallet.ts'

const countedTables = ['member', 'topic', 'comment', 'reply', 'file', 'audit_log'] as const

export type Findings = {
  /** Restored rows by table. */
  rows: Record<(typeof countedTables)[number], number>
  /** Tables with another number of rows than were written. */
  differ: string[]
  migrations: number
  /** Migrations still pending after the restore; 0 if all is well. */
  pending: number
  files: number
  /** Files that rows name and the backup lacks. Not checked if files are in a store. */
  missing: number
  entries: number
  brokenAt: string | null
  /** Breaches in the books of points and balance. */
  breaches: number
  seconds: number
}

type RehearsalOptions = { ownerUrl: string; folder: string; hasStore: boolean; tell?: BackupProgress }

/** Restores a backup into a temporary database beside the forum's, reports what it finds, and drops the database. */
export async function rehearse({ ownerUrl, folder, hasStore, tell = () => undefined }: RehearsalOptions): Promise<Findings> {
  const began = performance.now()
  return inTemporaryDatabase(ownerUrl, async (rehearsalUrl) => {
    const manifest = await restore({ ownerUrl: rehearsalUrl, files: null, folder, replaces: false, tell })
    tell('comparing', 0, 0)
    const found = await compare(rehearsalUrl, manifest, hasStore)
    return { ...found, seconds: Math.ceil((performance.now() - began) / 1000) }
  })
}

async function inTemporaryDatabase<T>(ownerUrl: string, work: (rehearsalUrl: string) => Promise<T>): Promise<T> {
  const client = await connectAsOwner(ownerUrl)
  try {
    const { rows } = await client.query<{ name: string; collate: string; ctype: string }>(
      "select left('rehearsal_of_' || datname, 63) as name, datcollate as collate, datctype as ctype from pg_database where datname = current_database()",
    )
    const { name = '', collate = '', ctype = '' } = rows[0] ?? {}
    // The server may have another encoding than the forum's database.
    // A rehearsal that died may have left its database.
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    await client.query(
      `create database ${pg.escapeIdentifier(name)} template template0 encoding 'UTF8'
        lc_collate ${pg.escapeLiteral(collate)} lc_ctype ${pg.escapeLiteral(ctype)}`,
    )
    try {
      const rehearsalUrl = new URL(ownerUrl)
      rehearsalUrl.pathname = `/${encodeURIComponent(name)}`
      return await work(rehearsalUrl.href)
    } finally {
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    }
  } finally {
    await client.end()
  }
}

async function compare(rehearsalUrl: string, manifest: Manifest, hasStore: boolean): Promise<Omit<Findings, 'seconds'>> {
  const client = await connectAsOwner(rehearsalUrl)
  try {
    const written = new Map(manifest.tables.map(({ name, rows }) => [name, rows]))
    const rows = {} as Findings['rows']
    for (const name of countedTables) rows[name] = await countOf(client, name)
    const { entries, brokenAt, breaches } = await verifyIn(rehearsalUrl)
    return {
      rows,
      differ: countedTables.filter((name) => rows[name] !== (written.get(name) ?? 0)),
      migrations: manifest.migrations.length,
      pending: (await pending(client)).length,
      files: manifest.files.length,
      missing: hasStore ? 0 : await missingIn(client, manifest),
      entries,
      brokenAt,
      breaches,
    }
  } finally {
    await client.end()
  }
}

async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${pg.escapeIdentifier(table)}`)
  return rows[0]?.count ?? 0
}

async function missingIn(client: pg.Client, { files }: Manifest): Promise<number> {
  const ids = [...new Set(files.map(({ path }) => basename(path).split('.')[0] ?? ''))]
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from file where id <> all($1::text[])', [ids])
  return rows[0]?.count ?? 0
}

async function verifyIn(rehearsalUrl: string): Promise<audit.VerifyResult & { breaches: number }> {
  const database = openDatabase(addressesOf(rehearsalUrl), { size: 1, onLost: () => undefined })
  try {
    const breaches = await wallet.breachesIn(database, wallet.ledgerChecks, null)
    return { ...(await audit.verify(database.longRunning.reader)), breaches: breaches.length }
  } finally {
    await database.close()
  }
}
