import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { migrations, schemas } from '#database/migrate.ts'
import { rulesHash } from '#database/rules.ts'

const guardsFile = new URL('./guards.txt', import.meta.url)

/**
 * The objects in the database that protect points, balance, hidden parts and private messages: every function by its text and the roles
 * that may execute it; constraints, triggers and unique indexes of the tables concerned by their definitions, and rights to change them;
 * policies; and the kinds of transactions.
 */
const guards = sql<{ guard: string }>`
  with here as (select oid from pg_namespace where nspname in ('ledger', 'hidden')),
      beside as (select unnest(array['money_request', 'reward', 'idempotency_key', 'audit_log', 'payment_event', 'payment_order', 'payment_refund',
        'payment_dispute', 'payment_statement', 'payment_statement_line', 'red_envelope', 'red_envelope_share']::regclass[]) as oid),
      held as (select pg_class.oid, relowner, relacl from pg_class where relkind in ('r', 'p', 'v') and (relnamespace in (select oid from here)
        or pg_class.oid in (select oid from beside) or pg_class.oid in ('bounty'::regclass, 'bounty_share'::regclass)))
    select guard collate "C" as guard from (
      select concat_ws(' ', 'function', pg_proc.oid::regprocedure, md5(prosrc), case when prosecdef then 'definer' end, proconfig, grantees) as guard
        from pg_proc, lateral (select string_agg(coalesce(rolname, 'everybody'), ',' order by rolname) as grantees
          from aclexplode(coalesce(proacl, acldefault('f', proowner))) left join pg_roles on pg_roles.oid = grantee where grantee <> proowner) as its
        where pronamespace = any(${schemas}::regnamespace[])
          and not exists (select from pg_depend where pg_depend.objid = pg_proc.oid and deptype = 'e')
      union all
      select 'row security ' || oid::regclass from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace
      union all
      -- All of a table together: one more would show more.
      select 'policies ' || polrelid::regclass || ' ' || md5(string_agg(concat_ws(' ', polname, polcmd, polpermissive, polroles,
          pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), ';' order by polname)) from pg_policy
        group by polrelid
      union all
      select 'constraint ' || conrelid::regclass || ' ' || conname || ' = ' || md5(pg_get_constraintdef(oid)) from pg_constraint
        where contype in ('c', 'f', 'p', 'u', 'x') and convalidated
          and (connamespace in (select oid from here) or conrelid in (select oid from beside))
      union all
      select 'trigger ' || tgrelid::regclass || ' ' || tgname || ' = ' || md5(pg_get_triggerdef(pg_trigger.oid))
        from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and tgenabled in ('O', 'A') and (relnamespace in (select oid from here) or tgrelid in (select oid from beside))
      union all
      select 'index ' || indexrelid::regclass || ' = ' || md5(pg_get_indexdef(indexrelid)) from pg_index join pg_class on pg_class.oid = indrelid
        where indisunique and indisvalid and (relnamespace in (select oid from here) or indrelid in (select oid from beside))
      union all
      select 'view ' || oid::regclass || ' = ' || md5(pg_get_viewdef(oid)) from pg_class where relkind = 'v' and relnamespace in (select oid from here)
      union all
      -- Owners of tables aside, whose rights nobody can take.
      select concat_ws(' ', 'right', held.oid::regclass, coalesce(rolname, 'everybody'), string_agg(distinct privilege_type, ',' order by privilege_type))
        from held, lateral (
          select (aclexplode(relacl)).* union all select (aclexplode(attacl)).* from pg_attribute where attrelid = held.oid and attacl is not null
        ) as its left join pg_roles on pg_roles.oid = grantee
        where grantee <> relowner and privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER') group by held.oid, rolname
      union all
      -- Tests have kinds of their own, in databases of their own.
      select concat_ws(' ', 'kind', name, legs, may_owe, document) from ledger.kind
        where not (name ~ '^test[A-Z]' and current_database() ~ '^test_')
    ) as its order by 1`

/** The guards of a database. */
export async function guardsIn(client: pg.ClientBase): Promise<string[]> {
  const { sql: text, parameters } = guards.compile(compiler)
  const { rows } = await client.query<{ guard: string }>(text, [...parameters])
  return rows.map(({ guard }) => guard)
}

/** Guards that are missing or changed. A database newer than this program is not checked. */
export async function missingGuards(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query('select from migration where name <> all($1)', [await migrations()])
  if (rows.length > 0) return []
  const [all, present, isSame] = [await readFile(guardsFile, 'utf8'), await guardsIn(client), await isListedVersion(client)]
  // Another version of PostgreSQL may print a definition differently.
  const compared = (guard: string) => (isSame ? guard : guard.replace(/ = \w+$/, ''))
  const has = new Set(present.map(compared))
  return all.split('\n').filter((guard) => guard && !isRight(guard) && !has.has(compared(guard)))
}

/**
 * The same as a query, including unknown triggers, policies, rights, kinds, and functions of the ledger and of hidden parts. Returns
 * nothing if another version of the program has put its rules into the database.
 */
export function guardDifferences(): RawBuilder<{ what: string }> {
  const listed = readFileSync(guardsFile, 'utf8').trim().split('\n')
  const compared = sql`case when current_setting('server_version_num')::int / 10000 = ${listedMajorVersion} then guard else regexp_replace(guard, ' = \\w+$', '') end`
  return sql`
    with there as materialized (select guard, ${compared} as compared from (${guards}) as its),
      listed as (select guard, ${compared} as compared from unnest(${listed}::text[]) as guard)
    select what from (
      select 'missing or changed: ' || guard as what from listed where compared not in (select compared from there) and guard !~ '^right '
      union all
      select 'unknown: ' || guard from there where compared not in (select compared from listed)
        and guard ~ '^(trigger|policies|right|kind|function (ledger|hidden)[.])'
    ) as its
    where exists (select from rules where hash = ${rulesHash()}) and not exists (select from migration where name <> all(${knownMigrations()}))`
}

// A missing right does no harm, and each start grants it again; an extra one is not in the list.
function isRight(guard: string): boolean {
  return guard.startsWith('right ')
}

function knownMigrations(): string[] {
  return readdirSync(new URL('./migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))
}

// The list is generated with the bundled PostgreSQL.
const listedMajorVersion = 18

async function isListedVersion(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int / 10000 as version")
  return rows[0]?.version === listedMajorVersion
}

// Runs the same queries on the owner's connection, which does not use Kysely.
const compiler = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The text of guards.txt. */
export async function guardsText(client: pg.ClientBase): Promise<string> {
  return `${(await guardsIn(client)).join('\n')}\n`
}
