import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { migrations } from '#database/migrate.ts'

const list = new URL('./guards.txt', import.meta.url)

/**
 * What in the database keeps points, balance and hidden parts right, and private messages private: its functions by what they say, its constraints,
 * its triggers, and who sees which rows.
 */
export async function guardsIn(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ guard: string }>(`
    with here as (select oid from pg_namespace where nspname in ('ledger', 'hidden')),
      beside as (select unnest(array['adjustment', 'reward', 'idempotency_key', 'staff_deed']::regclass[]) as oid)
    select guard collate "C" as guard from (
      select 'function ' || pg_proc.oid::regprocedure || ' ' || md5(prosrc) || case when prosecdef then ' definer' else '' end as guard from pg_proc
        where pronamespace in (select oid from here) or (pronamespace = 'public'::regnamespace
          and (proname like '%\\_rewards' or prosecdef or proname in ('asking_member', 'asking_is_one_of', 'message_shown', 'audit_hash')))
      union all
      select 'row security ' || oid::regclass from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace
      union all
      -- All of a table together: one more would show more.
      select 'policies ' || polrelid::regclass || ' ' || md5(string_agg(concat_ws(' ', polname, polcmd, polpermissive, polroles,
          pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), ';' order by polname)) from pg_policy
        group by polrelid
      union all
      select 'constraint ' || conrelid::regclass || ' ' || conname from pg_constraint
        where contype in ('c', 'f', 'p', 'u', 'x') and convalidated
          and (connamespace in (select oid from here) or conrelid in (select oid from beside))
      union all
      select 'trigger ' || tgrelid::regclass || ' ' || tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and tgenabled in ('O', 'A') and (relnamespace in (select oid from here) or tgrelid in (select oid from beside))
      union all
      select 'index ' || indexrelid::regclass from pg_index join pg_class on pg_class.oid = indrelid
        where indisunique and indisvalid and (relnamespace in (select oid from here) or indrelid in (select oid from beside))
    ) as its order by 1`)
  return rows.map(({ guard }) => guard)
}

/** Those that should be there and are not, or are other than they should be. Of a database that is newer than this program nothing is known. */
export async function missingGuards(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query('select from migration where name <> all($1)', [await migrations()])
  if (rows.length > 0) return []
  const [all, there] = await Promise.all([readFile(list, 'utf8'), guardsIn(client)])
  const has = new Set(there)
  return all.split('\n').filter((guard) => guard && !has.has(guard))
}

/** The list as it is kept. */
export async function guardsText(client: pg.ClientBase): Promise<string> {
  return `${(await guardsIn(client)).join('\n')}\n`
}
