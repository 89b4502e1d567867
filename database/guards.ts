import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { migrations, schemas } from '#database/migrate.ts'

const list = new URL('./guards.txt', import.meta.url)

/**
 * What in the database keeps points, balance and hidden parts right, and private messages private: every function by its text and who may execute
 * it; of the tables that hold these, constraints, triggers and unique indexes by their definitions; and who sees which rows.
 */
export async function guardsIn(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ guard: string }>(
    `
    with here as (select oid from pg_namespace where nspname in ('ledger', 'hidden')),
      beside as (select unnest(array['money_request', 'reward', 'idempotency_key', 'staff_deed']::regclass[]) as oid)
    select guard collate "C" as guard from (
      select concat_ws(' ', 'function', pg_proc.oid::regprocedure, md5(prosrc), case when prosecdef then 'definer' end, proconfig, grantees) as guard
        from pg_proc, lateral (select string_agg(coalesce(rolname, 'everybody'), ',' order by rolname) as grantees
          from aclexplode(coalesce(proacl, acldefault('f', proowner))) left join pg_roles on pg_roles.oid = grantee where grantee <> proowner) as its
        where pronamespace = any($1::regnamespace[])
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
    ) as its order by 1`,
    [schemas],
  )
  return rows.map(({ guard }) => guard)
}

/** Those that should be there and are not, or are other than they should be. Of a database that is newer than this program nothing is known. */
export async function missingGuards(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query('select from migration where name <> all($1)', [await migrations()])
  if (rows.length > 0) return []
  const [all, there, isSame] = [await readFile(list, 'utf8'), await guardsIn(client), await isOfTheList(client)]
  // Another version may word a definition otherwise.
  const compared = (guard: string) => (isSame ? guard : guard.replace(/ = \w+$/, ''))
  const has = new Set(there.map(compared))
  return all.split('\n').filter((guard) => guard && !has.has(compared(guard)))
}

// The list is written by the PostgreSQL that comes with the program.
const versionOfTheList = 18

async function isOfTheList(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int / 10000 as version")
  return rows[0]?.version === versionOfTheList
}

/** The list as it is kept. */
export async function guardsText(client: pg.ClientBase): Promise<string> {
  return `${(await guardsIn(client)).join('\n')}\n`
}
