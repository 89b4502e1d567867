-- A post shows the people it mentions by the names they go by. What is kept of it holds those names too, so that lists, the search and all
-- that is sent need not look them up; a job writes them anew when a member is renamed or erased.

-- Whom a document mentions, or the Markdown of a draft.
create function members_named(its jsonb) returns bigint[] language sql immutable strict parallel safe as $$
  select case when its::text like '%"mention"%' or its::text like '%(member:%' then array(
    select distinct coalesce(found[1], found[2])::bigint
    from regexp_matches(its::text, '"type": "mention", "attrs": \{"id": "(\d{1,18})"|\(member:(\d{1,18})\)', 'g') as found) else '{}' end
$$;

-- A document in which whoever is mentioned is called so. Quotes within texts have a backslash before them, so that no text looks like a node.
create function document_named(its jsonb, member bigint, name text) returns jsonb language sql immutable strict parallel safe as $$
  select regexp_replace(its::text, '("type": "mention", "attrs": \{"id": "' || member || '", "label": )"(?:[^"\\]|\\.)*"',
    '\1' || replace(to_json(name)::text, '\', '\\'), 'g')::jsonb
$$;

-- The same of what a document is as HTML.
create function html_named(its jsonb, member bigint, name text) returns jsonb language sql immutable strict parallel safe as $$
  select regexp_replace(its::text, '(<a class=\\"mention\\" href=\\"/user/control/home\?userId=' || member || '\\">@)[^<]*',
    '\1' || replace(substr(quoted, 2, length(quoted) - 2), '\', '\\'), 'g')::jsonb
  from to_json(replace(replace(replace(replace(replace(name, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')) as made,
    lateral (select made::text as quoted) as written
$$;

-- Who is mentioned where: asked when somebody is renamed. Most posts mention nobody, and are not in these.
create index on topic using gin (members_named(body)) where members_named(body) <> '{}';
create index on topic_revision using gin (members_named(body)) where members_named(body) <> '{}';
create index on comment using gin (members_named(body)) where members_named(body) <> '{}';
create index on comment_revision using gin (members_named(body)) where members_named(body) <> '{}';
create index on reply using gin (members_named(body)) where members_named(body) <> '{}';
create index on reply_revision using gin (members_named(body)) where members_named(body) <> '{}';
create index on postscript using gin (members_named(body)) where members_named(body) <> '{}';
create index on review using gin (members_named(body)) where members_named(body) <> '{}';
create index on review using gin (members_named(own_body)) where members_named(own_body) <> '{}';
create index on draft using gin (members_named(content)) where members_named(content) <> '{}';
create index on hidden.part using gin (members_named(document)) where members_named(document) <> '{}';
create index on hidden.earlier using gin (members_named(document)) where members_named(document) <> '{}';
create index on hidden.waiting using gin (members_named(document)) where members_named(document) <> '{}';
create index on report_case (kind, thing_id);   -- all that was ever decided about a post

-- Members whose new name has not reached every text yet.
create table rename (
  member_id    bigint primary key references member on delete cascade,
  version      int not null default 1,                            -- one more with each further name
  renamed_at   timestamptz not null default clock_timestamp(),
  followed_at  timestamptz                                        -- when all texts of that moment had the name
);

create function note_rename() returns trigger language plpgsql as $$
begin
  insert into rename as its (member_id) values (new.id)
    on conflict (member_id) do update set version = its.version + 1, renamed_at = clock_timestamp(), followed_at = null;
  return null;
end $$;
create trigger renamed after update of account, nickname on member for each row
  when (coalesce(new.nickname, new.account) is distinct from coalesce(old.nickname, old.account)) execute function note_rename();

-- Hidden parts call a member by the name that they go by now.
create function hidden.rename(its_member bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its_name text := (select coalesce(nickname, account) from public.member where id = its_member);
begin
  update hidden.part set document = public.document_named(document, its_member, its_name), segments = public.html_named(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
  update hidden.earlier set document = public.document_named(document, its_member, its_name), segments = public.html_named(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
  update hidden.waiting set document = public.document_named(document, its_member, its_name), segments = public.html_named(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
end $$;
revoke all on all functions in schema hidden from public;

-- What earlier names left behind.
insert into rename (member_id)
select id from member where deactivated_as = 'erased' or freed_account is not null or exists (select from former_name where member_id = member.id);
update former_name set name = '~' where member_id in (select id from member where deactivated_as = 'erased');

-- A notice about a report of messages says whom it was about, not what they were called then.
update notice set facts = facts || jsonb_build_object('memberId', author_id::text, 'name', '')
from message_report
where notice.kind = 'messageReportDecided' and reporter_id = notice.member_id and abs(extract(epoch from decided_at - sends_at)) < 60;
