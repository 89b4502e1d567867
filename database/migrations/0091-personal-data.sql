-- What members ask for of all that is theirs: a job makes archives of it, which lie among the files for a week.

alter table file drop constraint file_kind_check;
alter table file add check (kind in ('picture', 'avatar', 'attachment', 'archive'));
do $$
declare its name;
begin
  -- What has no picture in it has no width and height, and is called by a name.
  for its in select conname from pg_constraint where conrelid = 'file'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%''attachment''%'
    and conname <> 'file_kind_check'
  loop
    execute format('alter table file drop constraint %I', its);
  end loop;
end $$;
alter table file add constraint file_has_size check ((width is null) = (kind in ('attachment', 'archive')) and (height is null) = (width is null));
alter table file add constraint file_has_name check ((name is null) = (kind not in ('attachment', 'archive')));

create table data_download (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  language    text not null check (language in ('zh', 'en')),
  asked_at    timestamptz not null default now(),
  begun_at    timestamptz,                   -- by whoever makes it; after some hours they are gone
  tries       int not null default 0,
  state       text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  expires_at  timestamptz,
  check ((state = 'ready') = (expires_at is not null))
);
create index on data_download (member_id, asked_at desc);                  -- one's own, latest first
create unique index on data_download (member_id) where state = 'waiting';  -- one at a time; and what the job looks for
create index on data_download (expires_at) where state = 'ready';          -- what ran out goes

-- Its archives: the first holds what was written down, and as many files as fit.
create table data_download_file (
  download_id  bigint not null references data_download on delete cascade,
  number       int not null check (number > 0),
  file_id      text not null unique references file on delete cascade,
  primary key (download_id, number)
);
