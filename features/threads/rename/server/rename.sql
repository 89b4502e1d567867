-- Names in the texts that mention a member. It is SQL so that no way of renaming is missed, and so that documents are changed inside the
-- database.

create or replace function record_rename() returns trigger language plpgsql as $$
begin
  insert into rename as its (member_id) values (new.id)
    on conflict (member_id) do update set version = its.version + 1, renamed_at = clock_timestamp(), followed_at = null;
  return null;
end $$;
create or replace trigger records_rename after update of account, nickname on member for each row
  when (coalesce(new.nickname, new.account) is distinct from coalesce(old.nickname, old.account)) execute function record_rename();

-- A document with the given name in its mentions of the member. Quotes within texts are escaped, so that no text looks like a node.
create or replace function rename_in_document(its jsonb, member bigint, name text) returns jsonb language sql immutable strict parallel safe as $$
  select regexp_replace(its::text, '("type": "mention", "attrs": \{"id": "' || member || '", "label": )"(?:[^"\\]|\\.)*"',
    '\1' || replace(to_json(name)::text, '\', '\\'), 'g')::jsonb
$$;
grant execute on function rename_in_document to teahouse_app, teahouse_reader;

-- The same for the HTML of a document.
create or replace function rename_in_html(its jsonb, member bigint, name text) returns jsonb language sql immutable strict parallel safe as $$
  select regexp_replace(its::text, '(<a class=\\"mention\\" href=\\"/user/control/home\?userId=' || member || '\\">@)[^<]*',
    '\1' || replace(substr(quoted, 2, length(quoted) - 2), '\', '\\'), 'g')::jsonb
  from to_json(replace(replace(replace(replace(replace(name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')) as made,
    lateral (select made::text as quoted) as written
$$;
grant execute on function rename_in_html to teahouse_app, teahouse_reader;
