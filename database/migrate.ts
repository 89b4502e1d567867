import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { ReportProgress } from '#base/server/progress.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { addressesOf, appRole, passwordOf, readerRole, type Connections } from '#base/server/database/roles.ts'
import { giveNewRights } from '#database/new-rights.ts'
import { closedColumns, closedTables } from '#database/reader-columns.ts'
import { applyRules } from '#database/rules.ts'
import { assertSuitable } from '#database/suitable.ts'

const folder = new URL('./migrations/', import.meta.url)
const migrationLock = 7_205_114

export const migrationTable = 'create table if not exists migration (name text primary key, ran_at timestamptz not null default now())'

/** The schemas with the forum's own tables, which a backup contains. */
export const schemas = ['public', 'ledger', 'hidden']

/**
 * Runs pending migrations, forward only, under a lock for concurrent starts, and returns the addresses for the app and the reader with the
 * number of migrations run.
 */
export async function migrate(ownerUrl: string, report: ReportProgress = () => undefined): Promise<Connections & { ran: number }> {
  const client = await connectAsOwner(ownerUrl)
  try {
    await assertSuitable(client)
    await lockMigrations(client)
    await client.query("set lock_timeout = '1s'")
    await createRoles(client, ownerUrl)
    const ran = await runPending(client, report)
    await applyRules(client)
    await giveNewRights(client)
    await grantRights(client)
    return { ...addressesOf(ownerUrl), ran }
  } finally {
    await client.end()
  }
}

/** Waits for other programs that migrate or restore this database, and locks them out until the client ends. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

/** The names of all migrations, in order. */
export async function migrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** The names of migrations not yet run; empty if the database is up to date. */
export async function pending(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration')
  const done = new Set(rows.map((row) => row.name))
  return (await migrations()).filter((name) => !done.has(name))
}

// One of the tables that the second migration has created since the first release.
export const releasedTable = 'known_right'
const migrationOfIt = '0002-members.sql'

/** Whether a database or a backup predates the first release, which had other migrations, or some of the same names with other tables. */
export function isOutdated(ran: readonly string[], hasReleasedTable: boolean): boolean {
  return ran.includes('0002-member.sql') || (ran.includes(migrationOfIt) && !hasReleasedTable)
}

async function assertReadable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ ran: string[]; has: boolean }>(
    "select coalesce(array_agg(name order by name), '{}') as ran, to_regclass('public.' || $1) is not null as has from migration",
    [releasedTable],
  )
  const { ran = [], has = false } = rows[0] ?? {}
  const known = await migrations()
  // Later ones are those of a newer version, which may have migrated while this one still runs on other servers.
  const unknown = ran.filter((name) => !known.includes(name) && name < (known.at(-1) ?? ''))
  const way = 'Name another folder in TEAHOUSE_DATA, or another database in DATABASE_URL, and start again.'
  if (isOutdated(ran, has))
    throw new CannotStart(`This database was made before the first release of Teahouse, and this version cannot read it. ${way}`)
  if (unknown.length > 0)
    throw new CannotStart(
      `This database is of another version of Teahouse, which has ${unknown.join(', ')}, and this version cannot read it. Start that version, or a later one. ${way}`,
    )
}

async function runPending(client: pg.Client, report: ReportProgress): Promise<number> {
  await client.query(migrationTable)
  await assertReadable(client)
  const names = await pending(client)
  for (const [done, name] of names.entries()) {
    report('migrating', done, names.length)
    await client.query('begin')
    await runMigration(client, name)
    await client.query('commit')
  }
  if (names.length > 0) report('migrating', names.length, names.length)
  return names.length
}

/** Runs one migration in the caller's transaction, and records it. */
export async function runMigration(client: pg.Client, name: string): Promise<void> {
  await client.query(await readFile(new URL(name, folder), 'utf8'))
  await client.query('insert into migration (name) values ($1)', [name])
}

/** Roles are shared by all databases of a server, so another forum may be creating them at this moment: then it is retried. */
export async function createRoles(client: pg.Client, ownerUrl: string): Promise<void> {
  for (let more = 20; ; more--) {
    try {
      return await createRolesOnce(client, ownerUrl)
    } catch (error) {
      if (more === 0 || !isConcurrentCreation(error)) throw error
      await setTimeout(50)
    }
  }
}

function isConcurrentCreation(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code === '42710' || error.code === '23505' || error.message === 'tuple concurrently updated')
  )
}

async function createRolesOnce(client: pg.Client, ownerUrl: string): Promise<void> {
  for (const role of [appRole, readerRole]) await createRole(client, role, passwordOf(ownerUrl, role))
  await client.query(`alter role ${readerRole} set default_transaction_read_only = on`)
}

type RoleRights = { rolsuper: boolean; rolbypassrls: boolean }

async function createRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<RoleRights>('select rolsuper, rolbypassrls from pg_roles where rolname = $1', [role])
  const [existing] = rows
  if (existing?.rolsuper || existing?.rolbypassrls)
    throw new CannotStart(`The database role ${role} has more rights than the forum may have. Take them away, or drop the role.`)
  // A role that may only create roles cannot repeat these restrictions on an existing one, so that gets its password alone.
  const verb = existing ? 'alter role' : 'create role'
  const limits = existing ? '' : 'nosuperuser nocreatedb nocreaterole nobypassrls'
  await client.query(`${verb} ${role} login ${limits} password '${password}'`)
}

// All in one query, which is one transaction: running servers never see a right missing or one too many.
async function grantRights(client: pg.Client): Promise<void> {
  const columns = await columnGrants(client)
  await client.query(`
    revoke create on schema public from public;
    grant usage on schema public to ${appRole}, ${readerRole};
    grant select, insert, update, delete on all tables in schema public to ${appRole};
    grant usage on all sequences in schema public to ${appRole};
    revoke insert, update, delete on migration, rules, guard_wording, known_right from ${appRole};
    revoke insert, update, delete on audit_log, audit_log_head from ${appRole};
    grant select on all tables in schema public to ${readerRole};
    grant usage on schema hidden to ${appRole}, ${readerRole};
    grant select on hidden.unlock, hidden.outline to ${appRole}, ${readerRole};
    grant usage on schema ledger to ${appRole}, ${readerRole};
    grant select on all tables in schema ledger to ${appRole}, ${readerRole};
    revoke select on ${closedTables.join(', ')} from ${readerRole};
    ${columns}`)
}

/** For tables with columns closed to the reader: grants all other columns instead of the table. */
async function columnGrants(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ statements: string }>(
    `select format('revoke select on %1$s from ${readerRole}; grant select (%2$s) on %1$s to ${readerRole};',
        attrelid::regclass, string_agg(quote_ident(attname), ', ' order by attnum)) as statements
      from jsonb_each($1) as its (name, closed) join pg_attribute on attrelid = its.name::regclass
      where attnum > 0 and not attisdropped and not closed ? attname::text
      group by attrelid`,
    [JSON.stringify(closedColumns)],
  )
  return rows.map(({ statements }) => statements).join('\n')
}
