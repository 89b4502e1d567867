-- The removal of what an import brought, by the foreign keys as they are. It is SQL because the tables that refer to a row are known to the database
-- alone. Only the owner calls it.

-- Removes the rows of a table, and before them what cannot be without them; what can be, forgets them. A table that has none of those is left alone: some
-- refuse even a statement that changes nothing.
create or replace function remove_referring(its_table regclass, condition text, above regclass[]) returns void language plpgsql as $$
declare
  reference record;
  those text;
  is_there boolean;
begin
  for reference in
    select conrelid::regclass as child,
      (select string_agg(quote_ident(attname), ', ' order by place) from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number) as columns,
      (select string_agg(quote_ident(attname), ', ' order by place) from unnest(confkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = confrelid and attnum = number) as referred,
      cardinality(conkey) = 1 and not (select attnotnull from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as is_nullable
    from pg_constraint where contype = 'f' and confrelid = its_table and confdeltype in ('a', 'r') order by 1, 2
  loop
    those := format('(%s) in (select %s from %s where %s)', reference.columns, reference.referred, its_table, condition);
    execute format('select exists (select from %s where %s)', reference.child, those) into is_there;
    if not is_there then continue; end if;
    if reference.is_nullable then
      execute format('update %s set %s = null where %s', reference.child, reference.columns, those);
    elsif reference.child <> all(above || its_table) then
      perform remove_referring(reference.child, those, above || its_table);
      execute format('delete from %s where %s', reference.child, those);
    end if;
  end loop;
end $$;
revoke execute on function remove_referring from public;

-- Removes the rows of a table that are named in import_undone_row. Returns how many.
create or replace function remove_undone(its_table text) returns bigint language plpgsql as $$
declare
  condition text := format('id::text in (select id from import_undone_row where kind = %L)', its_table);
  removed bigint;
begin
  perform remove_referring(its_table::regclass, condition, '{}');
  execute format('delete from %I where %s', its_table, condition);
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function remove_undone from public;
