import type pg from 'pg'
import { fullDisks, warningsOf, type Machine } from '#apps/server/machine-check.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { lackOnlyRights, missingGuards, restoreRights } from '#database/guards.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { addressesOf, appRole, readerRole } from '#base/server/database/roles.ts'
import { schemas } from '#database/migrate.ts'

export const maxClockSkewSeconds = 30
const maxListed = 10

const rightsRestored =
  `This database was restored without the roles ${appRole} and ${readerRole}, or without their rights, ` +
  'and the start has given the roles their rights again.'

/**
 * Refuses to start if points, balance or hidden parts could be lost or exposed by the database whatever the program does. Reports all
 * faults at once. Returns what it has mended, and what of this machine may do harm later.
 */
export async function preflight(ownerUrl: string, machine: Machine | null = null): Promise<string[]> {
  const [owner, app] = [await connectAsOwner(ownerUrl), await connectAsOwner(addressesOf(ownerUrl).app)]
  try {
    const { missing, mended } = await checkGuards(owner)
    const wrong = [
      ...(await unsafeSettings(app)),
      ...(await excessiveRights(owner)),
      ...missingGuardsMessage(missing),
      ...(await clockSkew(app)),
      ...(machine ? fullDisks(machine) : []),
    ]
    if (wrong.length > 0) throw new CannotStart(wrong.join('\n'))
    return [...mended, ...(machine ? await warningsOf(owner, machine) : [])]
  } finally {
    await Promise.all([owner.end(), app.end()])
  }
}

async function unsafeSettings(app: pg.Client): Promise<string[]> {
  const names = await settingsOff(app)
  return names.map((name) => `PostgreSQL runs with ${name} = off, and would lose payments that were answered. Switch it on.`)
}

/** Settings that are off, without which a crash loses what was committed. */
export async function settingsOff(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select name from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name where current_setting(name) = 'off'`)
  return rows.map(({ name }) => name)
}

async function excessiveRights(owner: pg.Client): Promise<string[]> {
  const { rows: roles } = await owner.query<{ role: string }>(
    'select rolname as role from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls or rolcreaterole)',
    [[appRole, readerRole]],
  )
  const { rows: tables } = await owner.query<{ role: string; place: string }>(
    `select role, string_agg(pg_class.oid::regclass::text, ', ' order by pg_class.oid::regclass::text) as place
      from unnest($1::text[]) as role, pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any($2) and relkind = 'r' and (pg_has_role(role, relowner, 'member')
        or (nspname = 'ledger' and has_table_privilege(role, pg_class.oid, 'insert, update, delete, truncate'))
        or (nspname = 'hidden' and relname <> 'unlock' and has_table_privilege(role, pg_class.oid, 'select'))
        or (nspname = 'hidden' and has_table_privilege(role, pg_class.oid, 'insert, update, delete, truncate')))
      group by role`,
    [[appRole, readerRole], schemas],
  )
  const take = 'Take it away: the forum works as a role that can do less.'
  return [
    ...roles.map(({ role }) => `The database role ${role} may change the rights of others or goes by none. ${take}`),
    ...tables.map(({ role, place }) => `The database role ${role} has rights it must not have on ${place}. ${take}`),
  ]
}

async function checkGuards(owner: pg.Client): Promise<{ missing: string[]; mended: string[] }> {
  const missing = await missingGuards(owner)
  if (missing.length === 0 || !(await lackOnlyRights(owner, missing))) return { missing, mended: [] }
  await restoreRights(owner, missing)
  return { missing: await missingGuards(owner), mended: [rightsRestored] }
}

function missingGuardsMessage(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  const more = missing.length > maxListed ? `\n  and ${missing.length - maxListed} more` : ''
  return [
    `What keeps points and balance right is missing in the database, or was changed. Restore a backup of before.\n  ${missing.slice(0, maxListed).join('\n  ')}${more}`,
  ]
}

async function clockSkew(app: pg.Client): Promise<string[]> {
  const seconds = await clockSkewSeconds(app)
  if (seconds <= maxClockSkewSeconds) return []
  return [`The clocks of this machine and of PostgreSQL are ${seconds} seconds apart. Set them by a time server.`]
}

export async function clockSkewSeconds(client: pg.Client): Promise<number> {
  const before = Date.now()
  const { rows } = await client.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
  return Math.round(Math.abs(Number(rows[0]?.ms) - (before + Date.now()) / 2) / 1000)
}
