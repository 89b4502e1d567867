-- Nicknames that members gave up: for a time nobody else gets them, and who looks for somebody by one finds them.

create table former_name (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member on delete cascade,
  name         text not null,
  key          text not null,
  is_shown     boolean not null default true,   -- on their page; not one that staff took away
  given_up_at  timestamptz not null default now()
);
create index on former_name (key, given_up_at desc);         -- whose it was last
create index on former_name (member_id, given_up_at desc);   -- what one was called, and when they were last renamed
