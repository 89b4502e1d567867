import type pg from 'pg'
import { schemas } from '#database/migrate.ts'

type Remade = { drops: string; makes: string }

/** The objects of a database that have definitions to print, as the database prints them: as pg_dump and pg_upgrade carry them. */
export async function printedDefinitions(client: pg.ClientBase): Promise<Remade[]> {
  const { rows } = await client.query<Remade>(
    `
    with its as (select oid, relname, relkind, oid::regclass as name from pg_class where relnamespace = any($1::regnamespace[]) and not relispartition)
    select format('drop trigger %I on %s', tgname, name) as drops, pg_get_triggerdef(pg_trigger.oid) as makes
      from pg_trigger join its on its.oid = tgrelid where not tgisinternal
    union all
    select 'select', pg_get_functiondef(oid) from pg_proc where pronamespace = any($1::regnamespace[])
      and not exists (select from pg_depend where pg_depend.objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter table %s drop constraint %I', name, conname), format('alter table %s add constraint %I %s', name, conname, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join its on its.oid = conrelid where contype in ('c', 'f') and relkind = 'r'
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from pg_index join its on its.oid = indrelid
      where indisunique and relkind = 'r' and not exists (select from pg_constraint where conindid = indexrelid)
    union all
    select 'select', format('create or replace view %s as %s', name, pg_get_viewdef(oid)) from its where relkind = 'v'
    union all
    select format('drop policy %I on %s', polname, name), concat(format('create policy %I on %s for %s', polname, name,
        case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end),
        ' using (' || pg_get_expr(polqual, polrelid) || ')', ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
      from pg_policy join its on its.oid = polrelid`,
    [schemas],
  )
  return rows
}

/** Recreates these objects in a database, of the same or another version. */
export async function remake(client: pg.ClientBase, definitions: readonly Remade[]): Promise<void> {
  await client.query('set check_function_bodies = off')
  for (const { drops, makes } of definitions) {
    await client.query(drops)
    await client.query(makes)
  }
}
