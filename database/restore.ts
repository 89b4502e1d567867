import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { CannotStart } from '#base/server/cannot-start.ts'
import { escapeIdentifier, readManifest, type Manifest, type BackupProgress } from '#database/backup-folder.ts'
import { diskStorage } from '#file/server/disk-storage.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { appRole, readerRole } from '#base/server/database/roles.ts'
import { lockMigrations, createRoles, migrate, migrationTable, pending, runMigration, schemas } from '#database/migrate.ts'
import { assertSuitable } from '#database/suitable.ts'

type RestoreOptions = {
  ownerUrl: string
  /** The folder for uploaded files; null leaves files alone. */
  files: string | null
  folder: string
  replaces: boolean
  tell?: BackupProgress
}

/**
 * Replaces the content of the database by a backup, at the newest migration. All of it is one transaction: if it fails half-way, the
 * database is unchanged. Uploaded files are only added, because their names are unique.
 */
export async function restore({ ownerUrl, files, folder, replaces, tell = () => undefined }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(folder, tell)
  const client = await connectAsOwner(ownerUrl)
  try {
    await assertSuitable(client)
    await lockMigrations(client)
    await assertStopped(client)
    await assertReplaceable(client, replaces)
    await createRoles(client, ownerUrl)
    if (files !== null) await addFiles(folder, files, manifest)
    await client.query("begin; set local lock_timeout = '5s'; set local datestyle = 'ISO'")
    await dropContent(client)
    await createTables(client, manifest)
    await withoutForeignKeys(client, () => loadRows(client, folder, manifest, tell), tell)
    for (const { name, last } of manifest.sequences)
      if (last !== null) await client.query('select setval($1, $2)', [escapeIdentifier(name), last])
    for (const name of await pending(client)) await runMigration(client, name)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(ownerUrl)
  return manifest
}

// A server that has just stopped takes a moment to disconnect.
async function assertStopped(client: pg.Client): Promise<void> {
  for (let patience = 20; patience > 0; patience--) {
    const { rowCount } = await client.query(
      'select 1 from pg_stat_activity where datname = current_database() and usename in ($1, $2) limit 1',
      [appRole, readerRole],
    )
    if (rowCount === 0) return
    await setTimeout(100)
  }
  throw new CannotStart('A forum is running on this database. Stop it, then restore.')
}

async function assertReplaceable(client: pg.Client, replaces: boolean): Promise<void> {
  const { rows } = await client.query<{ tables: number; is_ours: boolean; members: boolean }>(`
    select count(*)::int as tables, to_regclass('public.migration') is not null as is_ours, to_regclass('public.member') is not null as members
    from pg_tables where schemaname = 'public'`)
  const found = rows[0]
  if (!found || found.tables === 0) return
  if (!found.is_ours) throw new CannotStart('This database holds tables that are not a forum. Restore into a database of its own.')
  if (replaces || !found.members) return
  const { rowCount } = await client.query('select 1 from member limit 1')
  if (rowCount) throw new CannotStart('There is a forum with members here already. To replace it for good, add --yes.')
}

// Names are random and content never changes, so a file of the same size is the same file.
async function addFiles(folder: string, files: string, manifest: Manifest): Promise<void> {
  const storage = diskStorage(files)
  for (const { path, bytes } of manifest.files) {
    const there = await storage.get(basename(path))
    there?.stream.destroy()
    if (there?.bytes !== bytes) await storage.put(basename(path), await readFile(join(folder, path)))
  }
}

/** Drops everything that migrations created, except extensions and what belongs to them. */
async function dropContent(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `
    select format('drop schema %I cascade', nspname) as statement from pg_namespace where nspname = any($1) and nspname <> 'public'
    union all
    select format('drop %s if exists %s cascade', kind, name) as statement
    from (
      select oid, 'table' as kind, oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      union all
      select oid, 'routine', oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select oid, 'domain', oid::regtype::text from pg_type where typnamespace = 'public'::regnamespace and typtype = 'd'
      union all
      select reltype, 'type', oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'c'
    ) as made
    where not exists (select from pg_depend where pg_depend.objid = made.oid and deptype = 'e')`,
    [schemas],
  )
  for (const { statement } of rows) await client.query(statement)
}

/** The tables as they were at the time of the backup, with the initial rows of a new forum. */
async function createTables(client: pg.Client, manifest: Manifest): Promise<void> {
  await client.query(migrationTable)
  for (const name of manifest.migrations) await runMigration(client, name)
}

/**
 * Rows refer to each other in cycles, so foreign keys are checked together after all rows are loaded. Triggers are disabled: the rows they
 * wrote are in the backup, and some of them forbid any change to the books.
 */
async function withoutForeignKeys(client: pg.Client, work: () => Promise<void>, report: BackupProgress): Promise<void> {
  const { rows: watched } = await client.query<{ rests: string; watches: string }>(
    `
    select distinct format('alter table %s disable trigger user', tgrelid::regclass) as rests,
           format('alter table %s enable trigger user', tgrelid::regclass) as watches
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
    where not tgisinternal and nspname = any($1)`,
    [schemas],
  )
  const { rows } = await client.query<{ drops: string; adds: string }>(
    `
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drops,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as adds
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where contype = 'f' and conparentid = 0 and nspname = any($1)`,
    [schemas],
  )
  for (const { drops } of rows) await client.query(drops)
  for (const { rests } of watched) await client.query(rests)
  await work()
  for (const { watches } of watched) await client.query(watches)
  for (const [place, { adds }] of rows.entries()) {
    report('linking', place, rows.length)
    await client.query(adds)
  }
}

async function loadRows(client: pg.Client, folder: string, { tables }: Manifest, report: BackupProgress): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`)
  for (const [place, { name, columns, rows, path }] of tables.entries()) {
    report('restoring', place, tables.length)
    const into = client.query(
      copyFrom(`copy ${escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')}) from stdin`),
    )
    await pipeline(createReadStream(join(folder, path)), createGunzip(), into)
    if (into.rowCount !== rows) throw new Error(`${name} has ${into.rowCount} rows of ${rows}`)
  }
}
