import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { identityOf, meanTheSame } from '#database/guard-meaning.ts'
import { migrations, schemas } from '#database/migrate.ts'
import { rulesHash } from '#database/rules.ts'

const guardsFile = new URL('./guards.txt', import.meta.url)

// Names of types as the catalogue has them: what is printed may be quoted by one version and not by the next.
const functionGuards = sql`
  select concat_ws(' ', 'function', concat(name, '(', arguments, ')'), md5(prosrc), lanname, provolatile, case when proisstrict then 'strict' end,
      case when prosecdef then 'definer' end, proconfig, 'to', grantees) as guard
    from routine join pg_language on pg_language.oid = prolang,
      lateral (select string_agg(concat(nullif(nullif(nspname, 'public'), 'pg_catalog') || '.', typname), ',' order by place) as arguments
        from unnest(proargtypes) with ordinality as argument (type, place)
          join pg_type on pg_type.oid = type join pg_namespace on pg_namespace.oid = typnamespace) as given,
      lateral (select case when proacl is null then 'default' else coalesce(string_agg(coalesce(rolname, 'everybody'), ',' order by rolname), 'owner') end as grantees
        from aclexplode(proacl) left join pg_roles on pg_roles.oid = grantee where grantee <> proowner) as its`

// The list of all policies of a table is a guard: one more would show more.
const policyGuards = sql`
  select concat_ws(' ', 'row security', name, case when relforcerowsecurity then 'forced' end) from relation
    where relrowsecurity and relnamespace = 'public'::regnamespace
  union all
  select concat('policies ', name, ': ', string_agg(concat_ws(' ', polname, polcmd, case when polpermissive then 'permissive' end,
      (select string_agg(coalesce(rolname, 'everybody'), ',' order by rolname) from unnest(polroles) as role left join pg_roles on pg_roles.oid = role),
      case when polqual is not null then 'using' end, case when polwithcheck is not null then 'check' end), ', ' order by polname))
    from pg_policy join relation on id = polrelid group by name
  union all
  select concat('policy ', name, ' ', polname, ' ', use, ' = ', pg_get_expr(expression, polrelid))
    from pg_policy join relation on id = polrelid, lateral (values ('using', polqual), ('check', polwithcheck)) as its (use, expression)
    where expression is not null`

const constraintGuards = sql`
  select concat_ws(' ', 'constraint', home.name, conname, contype, keys, 'references ' || other.name, other_keys,
      case when contype = 'f' then concat(confdeltype, confupdtype, confmatchtype) end, case when condeferrable then 'deferrable' end,
      case when condeferred then 'deferred' end, case when connoinherit and contype = 'c' then 'not inherited' end, '= ' || pg_get_expr(conbin, conrelid))
    from pg_constraint join home on home.id = conrelid left join relation as other on other.id = confrelid,
      lateral (select concat('(', string_agg(attname, ', ' order by place), ')') as keys from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number) as own,
      lateral (select '(' || string_agg(attname, ', ' order by place) || ')' as other_keys from unnest(confkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = confrelid and attnum = number) as theirs
    where contype in ('c', 'f', 'p', 'u') and convalidated`

// The bits of tgtype are those of pg_trigger.h.
const triggerGuards = sql`
  select concat_ws(' ', 'trigger', home.name, tgname, case when tgtype & 2 > 0 then 'before' else 'after' end,
      case when tgtype & 4 > 0 then 'insert' end, case when tgtype & 8 > 0 then 'delete' end, case when tgtype & 16 > 0 then 'update' end,
      (select concat('(', string_agg(attname, ', ' order by attname), ')') from pg_attribute where attrelid = tgrelid and attnum = any(tgattr::int2[])
        having count(*) > 0),
      case when tgtype & 32 > 0 then 'truncate' end, case when tgtype & 1 > 0 then 'row' else 'statement' end,
      case when tgdeferrable then 'deferrable' end, case when tginitdeferred then 'deferred' end, tgoldtable, tgnewtable,
      coalesce(routine.name, tgfoid::regproc::text), nullif(encode(tgargs, 'hex'), ''),
      '= ' || substring(pg_get_triggerdef(pg_trigger.oid) from ' WHEN \\((.*)\\) EXECUTE FUNCTION '))
    from pg_trigger join home on home.id = tgrelid left join routine on routine.id = tgfoid
    where not tgisinternal and tgenabled in ('O', 'A')`

const indexGuards = sql`
  select concat_ws(' ', 'index', it.name, 'on', home.name, amname, case when indnullsnotdistinct then 'nulls not distinct' end,
      case when not indimmediate then 'deferrable' end, keys, '= ' || nullif(concat_ws(', ', expressions, pg_get_expr(indpred, indrelid)), ''))
    from pg_index join home on home.id = indrelid join relation as it on it.id = indexrelid join pg_am on pg_am.oid = it.relam,
      lateral (select concat('(', string_agg(concat_ws(' ', coalesce(attname, 'expression'), opcname, collname), ', ' order by place), ')') as keys,
          string_agg(case when number = 0 then pg_get_indexdef(indexrelid, place::int, false) end, ', ' order by place) as expressions
        from unnest(indkey::int2[], indclass::oid[], indcollation::oid[]) with ordinality as key (number, class, sorted_by, place)
          left join pg_attribute on attrelid = indrelid and attnum = number and number <> 0 left join pg_opclass on pg_opclass.oid = class
          left join pg_collation on pg_collation.oid = sorted_by) as own
    where (indisunique or indisexclusion) and indisvalid`

/**
 * The objects in the database that protect points, balance, hidden parts and private messages: every function by its text and the roles
 * that may execute it; constraints, triggers and unique indexes of the tables concerned, and rights to change them; policies; and the kinds
 * of transactions. Each is named by facts of the catalogue. Only where it has an expression does that follow, after ` = `, as the database
 * prints it.
 */
const guards = sql<{ guard: string }>`
  with relation as (select pg_class.*, pg_class.oid as id, concat(nullif(nspname, 'public') || '.', relname) as name
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace),
      here as (select oid from pg_namespace where nspname in ('ledger', 'hidden')),
      beside as (select unnest(array['money_request', 'reward', 'idempotency_key', 'audit_log', 'payment_event', 'payment_order', 'payment_refund',
        'payment_dispute', 'payment_statement', 'payment_statement_line', 'red_envelope', 'red_envelope_share']::regclass[]) as oid),
      home as (select * from relation where relnamespace in (select oid from here) or id in (select oid from beside)),
      held as (select * from home where relkind in ('r', 'p', 'v')
        union all select * from relation where id in ('bounty'::regclass, 'bounty_share'::regclass)),
      routine as (select pg_proc.*, pg_proc.oid as id, concat(nullif(nspname, 'public') || '.', proname) as name
        from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = any(${schemas})
          and not exists (select from pg_depend where pg_depend.objid = pg_proc.oid and deptype = 'e'))
    select regexp_replace(guard, '\\s*\\n\\s*', ' ', 'g') collate "C" as guard from (
      ${functionGuards} union all ${policyGuards} union all ${constraintGuards} union all ${triggerGuards} union all ${indexGuards}
      union all
      select concat_ws(' ', 'view', name, reloptions, '=', trim(pg_get_viewdef(id))) from home where relkind = 'v'
      union all
      -- Owners of tables aside, whose rights nobody can take.
      select concat_ws(' ', 'right', name, coalesce(rolname, 'everybody'), string_agg(distinct privilege_type, ',' order by privilege_type))
        from held, lateral (
          select (aclexplode(relacl)).* union all select (aclexplode(attacl)).* from pg_attribute where attrelid = held.id and attacl is not null
        ) as its left join pg_roles on pg_roles.oid = grantee
        where grantee <> relowner and privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER') group by name, rolname
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

/**
 * Guards that are missing or changed. A definition that this database words otherwise, after a move between versions of PostgreSQL, is
 * compared by its meaning, and its wording kept for `guardDifferences`. A database newer than this program is not checked.
 */
export async function missingGuards(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query('select from migration where name <> all($1)', [await migrations()])
  if (rows.length > 0) return []
  const [listed, present] = [await listedGuards(), await guardsIn(client)]
  const absent = listed.filter((guard) => !isRight(guard) && !present.includes(guard))
  const wordings = new Map<string, string>()
  for (const guard of absent) {
    const other = present.find((one) => identityOf(one) === identityOf(guard))
    if (other && (await meanTheSame(client, guard, other))) wordings.set(guard, other)
  }
  await keepWordings(client, [...wordings.values()])
  return absent.filter((guard) => !wordings.has(guard))
}

async function keepWordings(client: pg.ClientBase, wordings: string[]): Promise<void> {
  await client.query(
    `with gone as (delete from guard_wording where guard <> all($1))
      insert into guard_wording select its.guard from unnest($1::text[]) as its (guard)
        where not exists (select from guard_wording as kept where kept.guard = its.guard)`,
    [wordings],
  )
}

/** Whether all that is missing are rights to execute functions: after a restore without the two roles, or without rights. */
export async function lackOnlyRights(client: pg.ClientBase, missing: readonly string[]): Promise<boolean> {
  const present = new Map((await guardsIn(client)).map(rightsOf))
  return missing.map(rightsOf).every(([guard, roles]) => {
    const has = present.get(guard) ?? roles
    return has.includes('default') || roles.some((role) => role !== 'owner' && !has.includes(role))
  })
}

/** Gives these functions the rights that they lack. */
export async function restoreRights(client: pg.ClientBase, missing: readonly string[]): Promise<void> {
  const all = missing.map((guard) => ({
    name: guard.split(' ', 2)[1],
    roles: rightsOf(guard)[1]
      .filter((role) => role !== 'owner')
      .join(', '),
  }))
  const { rows } = await client.query<{ grants: string }>(
    `select concat(format('revoke execute on function %s from public', name::regprocedure),
        format('; grant execute on function %s to ', name::regprocedure) || nullif(roles, '')) as grants
      from json_to_recordset($1) as its (name text, roles text)`,
    [JSON.stringify(all)],
  )
  for (const { grants } of rows) await client.query(grants)
}

/**
 * The same as `missingGuards` as a query, including unknown triggers, policies, rights, kinds, and functions of the ledger and of hidden
 * parts. Returns nothing if another version of the program has put its rules into the database.
 */
export function guardDifferences(): RawBuilder<{ what: string }> {
  const listed = readFileSync(guardsFile, 'utf8').trim().split('\n')
  const identity = sql`split_part(guard, ' = ', 1)`
  return sql`
    with there as materialized (
        select guard, case when guard in (select guard from guard_wording) then ${identity} else guard end as compared from (${guards}) as its),
      listed as (select guard, ${identity} as identity from unnest(${listed}::text[]) as guard)
    select what from (
      select 'missing or changed: ' || guard as what from listed
        where guard not in (select compared from there) and identity not in (select compared from there) and guard !~ '^right '
      union all
      select 'unknown: ' || guard from there where compared not in (select guard from listed) and compared not in (select identity from listed)
        and guard ~ '^(trigger|polic|right|kind|function (ledger|hidden)[.])'
    ) as its
    where exists (select from rules where hash = ${rulesHash()}) and not exists (select from migration where name <> all(${knownMigrations()}))`
}

async function listedGuards(): Promise<string[]> {
  return (await readFile(guardsFile, 'utf8')).trim().split('\n')
}

// A missing right does no harm, and each start grants it again; an extra one is not in the list.
function isRight(guard: string): boolean {
  return guard.startsWith('right ')
}

function knownMigrations(): string[] {
  return readdirSync(new URL('./migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))
}

// A guard other than a function names no roles, and is never one that lacks only rights.
function rightsOf(guard: string): [string, string[]] {
  const [, its = guard, roles = ''] = /^(function .*) to (\S+)$/.exec(guard) ?? []
  return [its, roles ? roles.split(',') : []]
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
